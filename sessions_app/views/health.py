"""Is it alive, does its database answer, and can it be written to?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from scorekeeper.db.write_probe import probe
from sessions_app.access import ANYONE, page
from sessions_app.models import Evening


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok' when the program's own tables can be asked and written to; else 503, and why."""
    try:
        Evening.objects.exists()
    except DatabaseError:
        connection.close()
        return HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
    why = probe.why_not()
    return HttpResponse(f"{why or 'ok'}\n", content_type="text/plain", status=503 if why else 200)
