"""Forms that no page of ours sends, or that were filled in wrongly: nothing is written, and the page says why."""
