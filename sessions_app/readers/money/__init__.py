"""What is owed and was paid: debts, payments, settlements, chips."""
