"""The metrics page, for Prometheus: 404 without the token. It may be asked by address, as the health checks."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from scorekeeper.ops import metrics
from sessions_app.access import ANYONE, page


@page(ANYONE, "GET", "HEAD")
def show(request: HttpRequest) -> HttpResponse:
    token = settings.METRICS_TOKEN
    is_known = token and constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    numbers = metrics.page() if is_known else None
    if numbers is None:
        raise Http404
    return HttpResponse(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")
