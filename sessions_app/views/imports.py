"""Bring a file: it is stored, reviewed, and taken in or dropped. What came in can be taken out again for a day."""

from io import BytesIO
from typing import IO, Any, Final, cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.http.asgi_bridge import MAX_FILE
from scorekeeper.http.middleware import MAX_PASTED
from sessions_app import dear_pages, rate_limits
from sessions_app.access import ANYONE, page, visitor, visitor_or_guest
from sessions_app.errors import DocumentRefused, ImportBusy, ImportRefused, NewCircleRefused
from sessions_app.models import Circle, Import, ImportPart, User
from sessions_app.readers.people import new_circles
from sessions_app.readers.people.circles import EveningCircle, evening_circles
from sessions_app.transactions import snapshot
from sessions_app.views import closed
from sessions_app.views.htmx import number_in
from sessions_app.words.imports import told
from sessions_app.words.wording import KEY_DIGITS, whole_number
from sessions_app.writers import import_rows, import_undo
from sessions_app.writers.import_kinds import KINDS, kind_of

#: Seconds that one request may read or take in; the next one goes on.
SECONDS: Final = 4


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
@closed.to_those_without_a_circle
def new(request: HttpRequest) -> HttpResponse:
    """Take a file, or a pasted text, and lead to its review."""
    if request.method != "POST":
        return _new_page(request)
    try:
        if "begin" in request.POST:
            _as_guest(request)
            return redirect("import")
        return _brought(request)
    except NewCircleRefused as refused:
        return _new_page(request, code_refused=closed.sentence(refused.code), status=422)
    except (DocumentRefused, ImportRefused) as refused:
        return _new_page(request, why(refused), status=422)
    except ImportBusy:
        return _new_page(request, _("Another file of yours is being taken in."), status=409)


def why(refused: DocumentRefused | ImportRefused) -> str:
    return told(refused) if isinstance(refused, DocumentRefused) else str(refused)


def _brought(request: HttpRequest) -> HttpResponse:
    """Store what was brought, and sign a stranger in as a guest if it can be read."""
    # Files that cannot be read are counted, too: reading is what costs.
    rate_limits.count(rate_limits.IMPORTS, request, by_user=True)
    user = visitor(request)
    file, name = _file_of(request)
    kind, now = kind_of(file), dear_pages.TimeLeft(SECONDS)
    stored = kind.stored(file, now)
    circle = _chosen(user, request.POST.get("circle", ""))
    _as_guest(request)
    row = import_rows.open_import(visitor_or_guest(request), stored, file_name=name, circle=circle)
    kind.read(row, now)
    return redirect("import-review", row.token)


def _as_guest(request: HttpRequest) -> None:
    """Sign a stranger in as a guest. Raise rate_limits.TooMany, and NewCircleRefused if he may start no circle."""
    if visitor(request) is None:
        rate_limits.count(rate_limits.NEW_CIRCLES, request)
        closed.admit(request)
        visitor_or_guest(request)


def _file_of(request: HttpRequest) -> tuple[IO[bytes], str]:
    """Return what was brought, and its name. Raise ImportRefused if it is nothing, or too much."""
    file = request.FILES.get("file")
    if file is not None and file.size:
        if file.size > MAX_FILE:
            raise ImportRefused(_("The file is larger than %(most)s MB.") % {"most": MAX_FILE // 10**6})
        return cast(IO[bytes], file.file), str(file.name)
    text = request.POST.get("text", "")
    if len(text) > MAX_PASTED:
        raise ImportRefused(_("This is too long to be pasted. Save it as a file, and choose that."))
    if not text.strip():
        raise ImportRefused(_("Choose a file, or paste something."))
    return BytesIO(text.encode(errors="replace")), ""


def _new_page(request: HttpRequest, refused: str = "", status: int = 200, code_refused: str = "") -> HttpResponse:
    user, posted = visitor(request), request.POST.get("circle", "")
    wanted = posted if request.method == "POST" else str(number_in(request, "circle") or "")
    context = {
        "refused": refused,
        "asks_code": not user and closed.asks_code(request),
        "code_refused": code_refused,
        "user": user,
        "circle": _chosen(user, wanted),
        "waiting": import_rows.waiting(user) if user else None,
        "most": MAX_FILE // 10**6,
    }
    return render(request, "import/page.html", context, status=status)


def _circles(user: User | None) -> tuple[EveningCircle, ...]:
    """Return the circles that a file may go into: those in which the user may write, and no demo."""
    return tuple(circle for circle in evening_circles(user) if not circle.is_demo) if user else ()


def _chosen(user: User | None, text: str) -> Circle | None:
    """Return the circle of this number, None for a new one. Raise Http404 for one in which the user may not write."""
    if not text:
        return None
    key = whole_number(text, KEY_DIGITS)
    if key not in {circle.id for circle in _circles(user)}:
        raise Http404
    return Circle.objects.get(pk=key)


# --- The review ---


def _import_of(request: HttpRequest, token: str) -> Import:
    """Return the import at this address. Raise Http404 for everybody but its user."""
    user = visitor(request)
    try:
        key = UUID(token)
    except ValueError:
        raise Http404 from None
    row = Import.objects.select_related("circle").filter(token=key, user=user).first() if user else None
    if row is None:
        raise Http404
    return row


@page(ANYONE, "GET", "HEAD", "POST")
@snapshot()
def review(request: HttpRequest, token: str) -> HttpResponse:
    """Show what would come in; on POST keep the answers, read on, take it in, or drop it."""
    row = _import_of(request, token)
    if request.method != "POST":
        return _review_page(request, row)
    if "drop" in request.POST:
        import_rows.drop(row)
        return redirect("import-review", row.token)
    kind, now = KINDS[row.kind], dear_pages.TimeLeft(SECONDS)
    try:
        if row.state == Import.State.OPEN:
            is_seen = "circle" not in request.POST or _answer(request, row)
            if not (kind.read(row, now) and is_seen and "take" in request.POST):
                return _to_review(row, request.POST.get("page", ""))
        _take(request, row, now)
    except (DocumentRefused, ImportRefused) as refused:
        row.refresh_from_db()
        return _review_page(request, row, why(refused), status=409)
    except NewCircleRefused as refused:
        row.refresh_from_db()
        return _review_page(request, row, status=422, code_refused=closed.sentence(refused.code))
    except ImportPart.DoesNotExist:
        pass  # a second tap, or another tab, has ended it meanwhile
    return redirect("import-review", row.token)


def _to_review(row: Import, page: str) -> HttpResponse:
    """Redirect to the review, or to one of its pages of sessions."""
    address = redirect("import-review", row.token)
    if whole_number(page, KEY_DIGITS):
        address["Location"] += f"?page={page}#sessions"
    return address


def _answer(request: HttpRequest, row: Import) -> bool:
    """Keep the answers of the form, and return whether it showed how they match the circle."""
    circle = _chosen(row.user, request.POST.get("circle", ""))
    import_rows.answered(row, circle, KINDS[row.kind].answers(row, request.POST.dict()))
    return request.POST.get("of_circle", "") == request.POST.get("circle", "")


def _take(request: HttpRequest, row: Import, now: dear_pages.TimeLeft) -> None:
    """Take in as much as there is time for. Raise ImportRefused, DocumentRefused, NewCircleRefused."""
    kind = KINDS[row.kind]
    if row.circle_id is None:
        closed.admit(request)
    if row.state == Import.State.OPEN and (refused := _reviewed(row, 1)["refused"]):
        raise ImportRefused(refused)
    if import_rows.begin_to_take(row) and kind.take(row, now):
        import_rows.end_taking(row)


def _reviewed(row: Import, shown: int) -> dict[str, Any]:
    """Return the context of a review. That of a long file takes its turn, as the pages of a large circle do."""
    with dear_pages.measured(f"import {row.pk}", row.user_id):
        return KINDS[row.kind].review(row, shown)


def _review_page(
    request: HttpRequest, row: Import, refused: str = "", status: int = 200, code_refused: str = ""
) -> HttpResponse:
    offers_new_circle = closed.offers_new_circle(request)
    if row.circle_id is None and not offers_new_circle:
        refused = refused or closed.sentence(new_circles.refusal(row.user))
    context = {
        "offers_new_circle": offers_new_circle,
        "asks_code": row.circle_id is None and closed.asks_code(request),
        "code_refused": code_refused,
        "import": row,
        "state": row.state,
        "refused": refused,
        "template": KINDS[row.kind].template,
        "circles": _circles(row.user),
    }
    if row.state == Import.State.OPEN:
        found = _reviewed(row, number_in(request, "page") or 1)
        context |= found | {"refused": refused or found["refused"], "is_looked_at": "page" in request.GET}
    elif row.state == Import.State.TAKING:
        context["taking"] = {"done": import_rows.sessions_made(row), "total": import_rows.sessions_to_make(row)}
    elif row.state in (Import.State.TAKEN, Import.State.UNDOING):
        context["undo"] = import_undo.planned(row)
    return render(request, "import/review.html", context, status=status)


@page(ANYONE, "POST")
@snapshot()
def undo(request: HttpRequest, token: str) -> HttpResponse:
    """Take out again what came in by this import."""
    row = _import_of(request, token)
    try:
        import_undo.undo(row, dear_pages.TimeLeft(SECONDS))
    except ImportRefused as refused:
        return _review_page(request, row, str(refused), status=409)
    return redirect("import-review", row.token)
