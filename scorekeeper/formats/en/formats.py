"""English date formats: so that nobody in Europe reads a month for a day."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
