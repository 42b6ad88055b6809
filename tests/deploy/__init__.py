"""Tests of the files in deploy/ with the programs that read them."""
