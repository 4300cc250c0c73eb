"""What may be kept of a page."""

from django.views.decorators.cache import cache_control

fresh = cache_control(private=True, no_store=True)
"""Nothing: the page is one viewer's own, and stale at once."""
