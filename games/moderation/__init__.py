"""What moderators do, each act with a reason and an entry in the audit log."""
