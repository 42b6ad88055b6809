"""The health check: whether the server runs and its database can be read and written."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from scorekeeper.db import database_errors
from scorekeeper.db.write_probe import WriteProbe
from sessions_app.access import ANYONE, page
from sessions_app.models import Evening
from sessions_app.writers import health_check

probe = WriteProbe(health_check.write_and_delete)


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok' if the database can be read and written, else 503 and one word that says why."""
    try:
        Evening.objects.exists()
    except DatabaseError as error:
        connection.close()
        is_moved = database_errors.classify(error) == database_errors.MOVED
        why = database_errors.MOVED if is_moved else "the database does not answer"
    else:
        why = probe.why_not()
    return HttpResponse(f"{why or 'ok'}\n", content_type="text/plain", status=503 if why else 200)
