"""Words and figures in the user's language, and the reading of typed ones."""
