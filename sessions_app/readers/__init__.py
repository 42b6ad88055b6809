"""Queries for the pages: plain dataclasses, a fixed number of queries, whatever the evening's length. Never writes."""
