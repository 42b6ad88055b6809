"""Tables from spreadsheets and paper books: a line a session, a column a player. Pure, but for openpyxl."""
