"""Writers, one module per subject. Each public function is one transaction (transactions.py)."""
