"""Saved house rules on the pages: which are offered, and what comes of choosing and keeping one."""
