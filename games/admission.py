"""Who may come to a table that is still open."""

from games.models import Game, InvitationState, Visibility


def may_join(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user may take a seat: because anybody may, by the link, or by invitation."""
    if game.visibility == Visibility.PUBLIC:
        return True
    if game.visibility == Visibility.UNLISTED and link_token == game.link_token:
        return True
    invited = game.invitations.exclude(state=InvitationState.DECLINED)
    return user_id is not None and invited.filter(user_id=user_id).exists()


def may_enter(game: Game, user_id: int | None, link_token: str = "") -> bool:
    """Whether this user may look at the open table: whoever sits there, or may."""
    if user_id is not None and game.tenures.filter(user_id=user_id).exists():
        return True
    return may_join(game, user_id, link_token)
