"""The SQLite backend: on SQLite only, so these stand apart from what is tested on PostgreSQL too."""
