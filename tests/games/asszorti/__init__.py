"""The tests of Asszorti."""
