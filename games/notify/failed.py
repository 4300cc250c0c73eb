"""What a channel raises when a message could not be handed over."""

from games.models import Why


class Failed(Exception):
    """`permanent`: trying again is of no use. `unsure`: the other side may have taken it all the
    same, so that a repeat must be recognisable. `everybody`: the next one would fare no better."""

    def __init__(
        self,
        why: Why,
        detail: str = "",
        *,
        permanent: bool = False,
        unsure: bool = False,
        everybody: bool = False,
    ) -> None:
        super().__init__(why, detail)
        self.why, self.detail = why, detail
        self.permanent, self.unsure, self.everybody = permanent, unsure, everybody
