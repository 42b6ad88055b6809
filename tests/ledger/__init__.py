"""Tests of the ledger: nothing written is lost, changed or written twice, and every balance follows from it.

Writers, readers and migrations on a real database, by several processes at once too. `books.py` recounts all hands
independently. These run on SQLite and on PostgreSQL.
"""
