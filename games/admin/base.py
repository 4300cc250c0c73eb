"""What the pages of the administration share: a list by Django, a page of our own for each row, and
on it the acts that are open to whoever looks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import LONGEST_REASON, User
from games.forms.lobby import new_form_token
from games.moderation.desk import Decision
from games.refusal import Refused
from games.selectors import Unreadable
from games.views.refusals import notice_of


class ReadOnlyAdmin[M: Model](admin.ModelAdmin[M]):
    """Nothing is made, edited or deleted by Django's generic pages."""

    actions = None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """By what stands among the filters alone. Django lets an address in the browser's line ask
        for any column of the row: so passwords and e-mail addresses could be guessed bit by bit."""
        filters = self.get_list_filter(request)
        names = [str(getattr(one, "parameter_name", one)) for one in filters]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in names)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False


class ActForm(forms.Form):
    """What every act asks for: a reason. The token makes a form sent twice one act."""

    form_token = forms.CharField(max_length=32, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason, for the log"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea({"rows": 2}),
    )
    field_order: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["form_token"].initial = new_form_token()


@dataclass(frozen=True, slots=True)
class Offer:
    """An act that is open to somebody: its form, unsent, and what does it with what was given.

    What `do` returns is shown once, in the answer to the form.
    """

    title: str
    form: ActForm
    do: Callable[..., object]
    help: str = ""
    danger: bool = False


type Offers = Mapping[str, Offer]


class SubjectAdmin[M: Model](ReadOnlyAdmin[M]):
    """A row with a page of its own. Subclasses say what stands there, and what may be done."""

    page = ""

    def context(self, request: HttpRequest, subject: M, now: datetime) -> dict[str, Any]:
        """What the page shows."""
        raise NotImplementedError

    def offers(self, user: User, subject: M, data: Any = None) -> Offers:
        """What `user` may do, by name; with `data` each form holds what was sent."""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        view = self.admin_site.admin_view(self.act)
        return [path("<int:pk>/act/<slug:act>/", view, name=name), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page. Nothing is sent to it: acts have addresses of their own."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        return self.show(request, self.find(request, object_id))

    def find(self, request: HttpRequest, pk: str | int) -> M:
        subject = self.get_object(request, str(pk))
        if subject is None:
            raise Http404
        if not self.has_view_permission(request, subject):
            raise PermissionDenied
        return subject

    def show(
        self,
        request: HttpRequest,
        subject: M,
        sent: Mapping[str, ActForm] | None = None,
        found: object = None,
    ) -> HttpResponse:
        """The page, with the forms that were `sent` and refused as they were; or with what an act
        has `found`."""
        assert isinstance(request.user, User)
        offers = self.offers(request.user, subject)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": str(subject),
            "subject": subject,
            "acts": [
                {"name": name, "offer": offer, "form": (sent or {}).get(name, offer.form)}
                for name, offer in offers.items()
            ],
            "found": found,
            **self.context(request, subject, timezone.now()),
        }
        status = 422 if sent else 200
        return TemplateResponse(request, self.page, context, status=status)

    def act(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Do it, and come back to the page; or say there what is wrong, with nothing lost."""
        if request.method != "POST":
            return redirect(self.url(pk))
        subject = self.find(request, pk)
        assert isinstance(request.user, User)
        offer = self.offers(request.user, subject, request.POST).get(act)
        if offer is None:
            messages.warning(request, _("That cannot be done now. This is how things stand."))
            return redirect(self.url(pk))
        if not offer.form.is_valid():
            return self.show(request, subject, {act: offer.form})
        try:
            given = dict(offer.form.cleaned_data)
            decision = Decision(
                request.user, given.pop("reason"), given.pop("form_token"), timezone.now()
            )
            found = offer.do(decision, **given)
        except Refused as refusal:
            notice = notice_of(refusal.reason)
            messages.error(request, f"{notice.title} {notice.text}")
            return self.show(request, subject, {act: offer.form})
        except Unreadable:
            words = _("What is stored of this game cannot be read. Nothing done.")
            messages.error(request, words)
            return self.show(request, subject, {act: offer.form})
        if found is not None:
            return self.show(request, subject, found=found)
        messages.success(request, _("Done: {what}").format(what=offer.title))
        return redirect(self.url(pk))

    def url(self, pk: int) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[pk])
