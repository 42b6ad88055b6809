"""The addresses of the project: the app's, and the error pages."""

from django.urls import include, path

urlpatterns = [path("", include("sessions_app.urls"))]
handler400 = "sessions_app.views.errors.bad_request"
handler403 = "sessions_app.views.errors.forbidden"
handler404 = "sessions_app.views.errors.not_found"
handler500 = "sessions_app.views.errors.broken"
