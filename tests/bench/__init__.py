"""Measurements, run by hand: costs of pages and writers, bytes on the wire. docs/measures.md has their figures."""
