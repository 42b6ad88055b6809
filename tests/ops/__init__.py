"""Operation: server process, data folder, backups, logs."""
