"""Load, kills and long afternoons against a server of its own, run by hand. docs/measures.md has their figures."""
