"""Writers, one module per subject. Each public function is one transaction (sessions_app/transactions.py)."""
