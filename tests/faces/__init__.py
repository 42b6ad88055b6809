"""The faces of the games: form fields, words and drawn sheets that each game hands to the pages."""
