"""Name phones and passkeys, for lists in which a person must know his own apart.

Browser and system come from the tables below and never from the text of the User-Agent header. A parser library
(ua-parser: 1 MB, 6 MB of each worker's memory) would need a table of the same length to turn 'Chrome Mobile iOS' into
what people call it.
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


# --- Programs that hold a passkey, by their AAGUID ---

#: From the list of the FIDO community (github.com/passkeydeveloper/passkey-authenticator-aaguids).
_AUTHENTICATORS: Final = {
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
}


def authenticator_of(aaguid: str) -> str:
    """Return the program's name; '' for one that does not tell, or that is not in the table."""
    return _AUTHENTICATORS.get(aaguid, "")
