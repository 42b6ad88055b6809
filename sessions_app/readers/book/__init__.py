"""Many evenings: lists, the search, statistics, a year, leaderboards; documents of a book, and the plans of imports."""
