"""The tests of Russian Preference."""
