"""The page of all components, for designers and developers; it is no part of the program."""
