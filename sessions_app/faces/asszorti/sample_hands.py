"""The hands of the evening that home draws for a first visit: plain ones, lost ones, and a kontra at the end."""

from typing import Final

from sessions_app.faces.asszorti import words
from sessions_app.faces.sample_evening import SampleHands

SAMPLE_HANDS: Final = SampleHands(
    1,
    (
        (0, "2S 7"),
        (2, "2H 5"),
        (1, "2C 7"),
        (0, "3S 8"),
        (1, "1C 5"),
        (2, "1D 6-3-2"),
        (0, "2D 7"),
        (1, "2H 7 K"),
    ),
    words.deal_words,
)
