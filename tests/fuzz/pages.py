"""A page as a browser without a screen has it: forms, to be filled in and sent, and links."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from urllib.parse import urldefrag, urljoin, urlsplit

type Values = list[tuple[str, str]]
type Attributes = dict[str, str]

PICTURE = re.compile(r"<svg.*?</svg>", re.DOTALL)
"""Most of a table is these, and none of it can be pressed."""

NOT_SENT = ("button", "reset", "image", "file")


@dataclass
class Control:
    """One thing to fill in: an input, a list to choose from, or a button."""

    tag: str
    given: Attributes
    text: str = ""
    choices: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.given.get("name", "")

    @property
    def kind(self) -> str:
        return self.given.get("type", "submit" if self.tag == "button" else "text")

    @property
    def value(self) -> str:
        return self.given.get("value", "on" if self.kind in ("checkbox", "radio") else self.text)


@dataclass
class Form:
    """A form: where it goes, and what is in it. `htmx`: a script would send it, too."""

    action: str
    method: str
    htmx: bool
    controls: list[Control] = field(default_factory=list)


@dataclass
class Page:
    """What somebody has before them."""

    url: str
    forms: list[Form] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def read(url: str, html: str) -> Page:
    """The page at this address."""
    reader = _Reader(url)
    reader.feed(PICTURE.sub("", html))
    return reader.finish()


class _Reader(HTMLParser):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.page = Page(url)
        self.forms: dict[str, Form] = {}
        self.form: Form | None = None
        self.elsewhere: list[tuple[str, Control]] = []
        self.open: Control | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name in ("href", "data-hx-get", "data-url"):
            self.link(given.get(name, ""))
        if tag == "form":
            action = urljoin(self.page.url, given.get("action", ""))
            self.form = Form(action, given.get("method", "get").upper(), "data-hx-post" in given)
            self.forms[given.get("id") or f" {len(self.forms)}"] = self.form
        elif tag in ("input", "select", "textarea", "button"):
            control = Control(tag, given)
            if "form" in given:
                self.elsewhere.append((given["form"], control))
            elif self.form:
                self.form.controls.append(control)
            self.open = None if tag == "input" else control
        elif tag == "option" and self.open:
            self.open.choices.append(given.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self.open and self.open.tag == "textarea":
            self.open.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif self.open and tag == self.open.tag:
            self.open = None

    def link(self, href: str) -> None:
        to = urldefrag(urljoin(self.page.url, href)).url
        if href and not urlsplit(to).netloc and not to.startswith("/static/"):
            self.page.links.append(to)

    def finish(self) -> Page:
        for name, control in self.elsewhere:
            if name in self.forms:
                self.forms[name].controls.append(control)
        self.page.forms = list(self.forms.values())
        return self.page


def fill(form: Form, random: Random, words: list[str]) -> Values:
    """What the form would send if somebody filled it in with what may stand there. `words` are for
    where anything may."""
    values: Values = []
    groups: dict[str, list[str]] = {}
    buttons: list[Control] = []
    for control in form.controls:
        if "disabled" in control.given or control.kind in NOT_SENT:
            continue
        if control.kind == "submit":
            buttons.append(control)
        elif control.kind == "radio":
            groups.setdefault(control.name, []).append(control.value)
        elif control.kind == "checkbox":
            if random.random() < 0.5:
                values.append((control.name, control.value))
        elif control.tag == "select":
            if control.choices:
                values.append((control.name, random.choice(control.choices)))
        elif control.kind == "hidden":
            values.append((control.name, control.value))
        else:
            values.append((control.name, _written(control, random, words)))
    values += [(name, random.choice(choices)) for name, choices in groups.items()]
    if buttons:
        pressed = random.choice(buttons)
        values.append((pressed.name, pressed.value))
    return [(name, value) for name, value in values if name]


def _written(control: Control, random: Random, words: list[str]) -> str:
    if random.random() < (0.3 if "required" in control.given else 0.7):
        return control.value
    if control.kind == "number":
        low, high = int(control.given.get("min") or 0), int(control.given.get("max") or 9)
        return str(random.randint(low, max(low, high)))
    day = f"2030-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    hour = f"{random.randrange(24):02}:{random.choice(('00', '30'))}"
    moments = {"date": day, "time": hour, "datetime-local": f"{day}T{hour}"}
    return moments.get(control.kind) or random.choice(words)


ODD = (
    "", " ", "-1", "0", "1.5", "9" * 40, "٣", "\0", "a\0b", "\ud7ff\U0010ffff", "x" * 5000, "<b>",
    "\r\n", "None", "[]", "true", "1e3", "//evil.example/", "\u202e", "à" * 300, "a" * 31, "@",
)  # fmt: skip


def spoil(values: Values, random: Random, others: list[str]) -> Values:
    """The same with something wrong in it. `others` are values that belong elsewhere."""
    spoilt = list(values)
    for _ in range(random.choice((1, 1, 2, 4))):
        fields = [n for n, (name, _value) in enumerate(spoilt) if name != "csrfmiddlewaretoken"]
        if not fields:
            return [*spoilt, (random.choice(("answer", "prompt", "x")), random.choice(ODD))]
        at = random.choice(fields)
        name, value = spoilt[at]
        match random.randrange(6):
            case 0:
                del spoilt[at]
            case 1:
                spoilt.insert(at, (name, random.choice(ODD)))
            case 2 | 3:
                spoilt[at] = (name, random.choice(others))
            case 4 if value.isdecimal() and len(value) < 20:
                spoilt[at] = (name, str(int(value) + random.choice((-1, 1))))
            case _:
                spoilt[at] = (name, random.choice(ODD))
    return spoilt
