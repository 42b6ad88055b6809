"""How Russian Preference looks."""
