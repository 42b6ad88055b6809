"""The pages in Chromium, on phones: behaviour that needs a layout, a script, a service worker or several phones.

An evening of each game is tapped in and compared with a hand-checked sheet. Hands wait in the outbox while there is no
network, and two phones write at once. `test_screens.py` measures every page: its HTML, its size, its contrast. The text
of pages and the permissions are tested without a browser by `tests/views`.
"""
