"""A game of thirty lines, and its face: an assumption of the generic parts about a game fails here.

Three sit, and everything goes counter-clockwise. A hand is won or lost by one against two, or all play against all and
get marks; then the hands that follow count twice, until one of them is won.
"""
