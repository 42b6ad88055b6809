"""The SQLite backend: on SQLite only, so these are apart from the tests that run on PostgreSQL too."""
