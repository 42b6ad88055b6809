"""Stakes, settling in few payments, rounding to coins, what payments close. Pure."""
