"""HTTP: the ASGI bridge, middleware, the domain of passkeys, names of devices, rate counts, static bundles."""
