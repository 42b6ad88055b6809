"""Name the browser and the system of a User-Agent header, for a list in which a person must know his phones apart.

Both come from the tables below and never from the header's own text. A parser library (ua-parser: 1 MB, 6 MB of each
worker's memory) would need a table of the same length to turn 'Chrome Mobile iOS' into what people call it.
"""

from typing import Final

#: Characters of the header that are looked at. Every mark below stands among the first 300 in real ones.
LOOKED_AT: Final = 500
#: The longest label that `device_of` can return is shorter.
LABEL_LENGTH: Final = 40

#: The browser by a mark in the header; the first that is there counts. Apps that show pages themselves come first, then
#: browsers that also name the one they are made of, then those that they name. '' is no browser that can be named: an
#: app's own view of a page on Android.
_BROWSERS: Final = (
    ("Instagram", "Instagram"),
    ("MessengerForiOS", "Messenger"),
    ("MessengerLite", "Messenger"),
    ("FB_IAB/MESSENGER", "Messenger"),
    ("FB_IAB/Orca-Android", "Messenger"),
    ("FBAN/", "Facebook"),
    ("FBAV/", "Facebook"),
    ("FB_IAB/", "Facebook"),
    ("WhatsApp/", "WhatsApp"),
    ("Telegram-Android/", "Telegram"),
    (" Line/", "Line"),
    ("; wv)", ""),
    ("EdgiOS/", "Edge"),
    ("EdgA/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("OPiOS/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("MiuiBrowser/", "Mi Browser"),
    ("HuaweiBrowser/", "Huawei Browser"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("Ddg/", "DuckDuckGo"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
#: Browsers that say this run on iPhones and iPads only, even if they say Macintosh as well.
_IOS_ONLY: Final = ("FxiOS/", "CriOS/", "EdgiOS/", "OPT/", "OPiOS/")
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows NT", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def device_of(user_agent: str) -> str:
    """Return what the header says of browser and system, as 'Safari|iPhone', 'Firefox|' or '|Android'; '' for nothing.

    Safari says of an iPad that it is a Macintosh: 'Safari|Mac/iPad'.
    """
    said = user_agent[:LOOKED_AT]
    browser, system = _first(_BROWSERS, said), _first(_SYSTEMS, said)
    if system == "Mac" and any(mark in said for mark in _IOS_ONLY):
        system = "iPad"
    elif system == "Mac" and browser == "Safari":
        system = "Mac/iPad"
    return f"{browser}|{system}" if browser or system else ""


def _first(table: tuple[tuple[str, str], ...], said: str) -> str:
    return next((name for mark, name in table if mark in said), "")
