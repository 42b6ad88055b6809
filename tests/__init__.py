"""The tests. The first lines of each folder name what it proves; `tests/selection.py` says which run by default."""
