"""The members of a circle: their roles, their invitations, and who may change them."""
