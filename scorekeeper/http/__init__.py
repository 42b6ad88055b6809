"""HTTP: the ASGI bridge, middleware, response headers, rate limits in a file, and the static bundles."""
