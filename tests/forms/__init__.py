"""The forms: their errors, beside the right field in the right words, and the values they return."""
