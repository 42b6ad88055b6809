"""One evening: its sheet, its hands, its players, the hand in play, its result."""
