"""Is it alive, and does its database answer?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse

from sessions_app.access import ANYONE, page
from sessions_app.models import GameSession


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    """Answer 200 'ok' when the database takes a question about the program's own tables, else 503."""
    try:
        GameSession.objects.exists()
    except DatabaseError:
        connection.close()
        return HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")
