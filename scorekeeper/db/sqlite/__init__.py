"""Django's SQLite backend with a write queue: `ENGINE` is "scorekeeper.db.sqlite"."""
