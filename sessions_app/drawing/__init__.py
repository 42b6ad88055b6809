"""Drawings as SVG paths: charts, QR codes, tally marks, the pictures for friends."""
