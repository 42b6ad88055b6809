"""HTTP: the ASGI bridge, rejections, middleware, the domain of passkeys, names of devices, rate counts, bundles."""
