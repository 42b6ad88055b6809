"""Readers of money: debts, payments, settlements, chips."""
