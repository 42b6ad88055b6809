"""The book's pages of a circle and its players."""
