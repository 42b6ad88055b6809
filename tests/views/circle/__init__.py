"""The pages of a circle and its players: leaderboards, statistics, a year."""
