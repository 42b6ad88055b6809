"""Forms: turn posted fields into the values that writers take, or into errors beside the fields."""
