"""Saved house rules on the pages: which are offered, choosing one, and saving one."""
