"""The database backend, its errors, and power cuts."""
