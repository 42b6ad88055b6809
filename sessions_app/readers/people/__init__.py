"""Circles and their people: players, members, invitations."""
