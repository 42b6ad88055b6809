"""Money of a circle: balances, payments, suggested payments, statements."""
