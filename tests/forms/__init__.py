"""The forms: what they refuse, beside which field and in which words, and what they hand on."""
