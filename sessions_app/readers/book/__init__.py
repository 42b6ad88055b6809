"""Many evenings: lists, the search, statistics, a year, leaderboards."""
