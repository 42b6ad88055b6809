"""Drawings as SVG paths: charts, QR codes, tally marks."""
