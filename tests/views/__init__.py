"""The pages without a browser: their words, their queries, their refusals, and their permissions to see and to write.

`test_access.py` asks every address in every way as everybody. These run on SQLite and on PostgreSQL.
"""
