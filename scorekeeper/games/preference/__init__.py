"""Russian Preference, as the project's rule sheet has it."""
