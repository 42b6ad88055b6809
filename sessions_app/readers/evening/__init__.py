"""One evening: its sheet, its hands, its seats and next deal, the hand in play, its result."""
