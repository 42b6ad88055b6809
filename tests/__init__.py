"""The tests. Each folder says in its first lines what it proves; `tests/selection.py` says which run by default."""
