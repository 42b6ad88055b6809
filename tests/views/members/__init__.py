"""The members of a circle: their roles, their invitations, and the permission to change them."""
