from playwright.sync_api import Page, expect


def test_the_home_page_loads(page: Page, live_asgi: str) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
