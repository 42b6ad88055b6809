"""What comes from the browser, made into what the writers take, or into sentences beside the fields."""
