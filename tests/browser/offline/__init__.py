"""The outbox: a hand that is saved without network, or whose answer is lost, is written once, or kept and explained."""
