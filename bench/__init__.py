"""Speed, measured beside something known."""
