"""Operation of an installation: its data folder, secret key, processes, log and backups."""
