"""What pages show: plain dataclasses out, by a fixed number of queries, whatever the evening's length. Never writes."""
