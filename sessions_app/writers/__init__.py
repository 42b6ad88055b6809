"""All that writes, one module a subject; each of its functions is one transaction (writing.py), or nothing."""
