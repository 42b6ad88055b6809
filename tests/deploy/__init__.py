"""What deploy/ holds, tried."""
