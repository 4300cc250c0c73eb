"""Lists too long for one page."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Part[T]:
    """One page of a list; `back` and `on` are the queries of its neighbours, empty at the ends."""

    rows: list[T]
    count: int
    number: int
    pages: int
    back: str
    on: str


def part_of[T: Model](request: HttpRequest, found: QuerySet[T], name: str) -> Part[T]:
    """The page that the query asks for by `name`, or the nearest there is."""
    page: Page[T] = Paginator(found, A_PAGE).get_page(request.GET.get(name))

    def query(number: int) -> str:
        given = request.GET.copy()
        given.pop("seen", None)  # of the fetch that this is the answer to
        given[name] = str(number)
        return f"?{given.urlencode()}"

    return Part(
        rows=list(page),
        count=page.paginator.count,
        number=page.number,
        pages=page.paginator.num_pages,
        back=query(page.number - 1) if page.has_previous() else "",
        on=query(page.number + 1) if page.has_next() else "",
    )
