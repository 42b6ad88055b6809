"""Every form that posts has a CSRF token, without which a phone without scripts is refused."""

import re
from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
FORM = re.compile(r'<form\b[^>]*\bmethod="post".*?</form>', re.DOTALL)
INCLUDED = re.compile(r'\{% (?:include|once) "([^"]+)"')


def has_token(text: str) -> bool:
    """Return whether the text has a token itself, or includes a template that has one."""
    return "csrf_token" in text or any(has_token((TEMPLATES / name).read_text()) for name in INCLUDED.findall(text))


def test_every_form_that_posts_has_its_token() -> None:
    forms = {path: FORM.findall(path.read_text()) for path in TEMPLATES.rglob("*.html")}
    assert sum(map(len, forms.values())) > 60
    assert [(path.name, form) for path, found in forms.items() for form in found if not has_token(form)] == []
