"""Circles and their people: players and members; users, their phones and keys."""
