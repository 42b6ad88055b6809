"""Queries for the pages: plain dataclasses, a fixed number of queries for an evening of any length. Never writes."""
