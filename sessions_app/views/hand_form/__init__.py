"""The hand form and all that answers with it: recording and correcting, announcing, the referee, agreed entries."""
