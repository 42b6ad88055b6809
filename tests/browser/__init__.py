"""The pages in Chromium, on phones: what needs a layout, a script, a service worker or several phones.

An evening of each game is tapped in and compared with a hand-checked sheet. Hands wait in the outbox while there is no
network, and two phones write at once. `test_screens.py` measures every page: its HTML, its size, its contrast.
What a page says, and whom it answers, is proved without a browser by `tests/views`.
"""
