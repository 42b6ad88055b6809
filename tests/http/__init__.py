"""The server's side of HTTP: the bridge, WSGI, static bundles."""
