"""What must not stand in a log: who somebody is, and addresses that are a permission themselves."""

import logging
import re

_SECRETS = re.compile(
    r"(?<=/answer/)[^/\s]+"  # the signed part of links in letters
    r"|(?<=/messages/off/)[^/\s]+"
    r"|(?<=[?&]k=)[\w-]+"  # the link of a table
    r"|[\w.+-]+@[\w-]+(\.[\w-]+)+"  # a mail server that refuses somebody names them
)


class Discreet(logging.Formatter):
    """Lines and the tracebacks below them, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRETS.sub("…", super().format(record))
