"""The rules of the games, without a database.

Vectors counted by hand, properties of all hands, and an independent count of random hands (`by_the_book.py`) hold
for each game; auctions, doubling and play where a game is refereed; `test_conformance.py` for every game there is.
"""
