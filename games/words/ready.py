"""The question before the first card."""

from django.utils.translation import gettext_lazy as _

from .sentence import Sentence
from .terms import Message, fill

_ABOUT: Message = _("The game is about to begin. Whoever does not answer in time loses the seat.")
_ASK: Message = _("Are you ready?")


def are_you_ready() -> Sentence:
    """What is about to happen, and what is asked."""
    return Sentence(fill(_ABOUT), ask=fill(_ASK))
