"""Payments between seats: the payments add up to the balances, are as few as can be, and are rounded to whole units
fairly.
"""
