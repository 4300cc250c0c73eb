"""What must not stand in a log: addresses that are a permission themselves."""

import logging
import re

_TOKENS = re.compile(r"(/answer/|/messages/off/)[^/\s]+")


class WithoutTokens(logging.Filter):
    """Takes the signed part out of the addresses of links in letters."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_without_tokens(arg) for arg in record.args)
        return True


def _without_tokens(arg: object) -> object:
    return _TOKENS.sub(r"\1…", arg) if isinstance(arg, str) else arg
