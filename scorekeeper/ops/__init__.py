"""What starts, serves and keeps an installation: its data folder, secret key, processes, log and backups."""
