"""What a browser asks about the person: allauth's pages, and ours beside them."""
