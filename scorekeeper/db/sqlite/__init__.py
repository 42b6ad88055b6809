"""Django's SQLite backend, whose writers take turns: `ENGINE` is "scorekeeper.db.sqlite"."""
