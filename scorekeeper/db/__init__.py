"""The database layer: SQLite with a queue of writers, queries compiled once, caches, and its errors classified."""
