"""HTTP: the ASGI bridge, middleware, hosts, names of devices, rate limits in a file, and the static bundles."""
