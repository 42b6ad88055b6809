"""Labels of User-Agent headers, as browsers and apps send them."""

import pytest

from scorekeeper.http.device_names import LABEL_LENGTH, LOOKED_AT, device_of

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
IPAD = IPHONE.replace("iPhone; CPU iPhone OS", "iPad; CPU OS")
ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
WEBVIEW = "Mozilla/5.0 (Linux; Android 14; SM-A536B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"

HEADERS = (
    (f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1", "Safari|iPhone"),
    (f"{IPHONE} CriOS/137.0.7151.79 Mobile/15E148 Safari/604.1", "Chrome|iPhone"),
    (f"{IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15", "Firefox|iPhone"),
    (f"{IPHONE} Version/18.0 EdgiOS/136.0.3240.91 Mobile/15E148 Safari/604.1", "Edge|iPhone"),
    (f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.6.1", "Opera|iPhone"),
    (f"{IPHONE} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15", "DuckDuckGo|iPhone"),
    # On the home screen, or in an app that does not say which.
    (f"{IPHONE} Mobile/15E148", "|iPhone"),
    (f"{IPHONE} Mobile/22F76 [FBAN/MessengerForiOS;FBAV/511.0;FBBV/7;FBDV/iPhone15,2;FBMD/iPhone]", "Messenger|iPhone"),
    (f"{IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/516.0;FBBV/7;FBDV/iPhone15,2;FBMD/iPhone]", "Facebook|iPhone"),
    (f"{IPHONE} Mobile/22F76 Instagram 383.0.0.24.73 (iPhone15,2; iOS 18_5; hu_HU; hu)", "Instagram|iPhone"),
    (f"{IPHONE} Mobile/15E148 Safari Line/15.8.0", "Line|iPhone"),
    (f"{IPAD} Version/12.1 Mobile/15E148 Safari/604.1", "Safari|iPad"),
    (f"{MAC} CriOS/137 Version/11.1.1 Safari/605.1.15", "Chrome|iPad"),
    (f"{MAC} Version/18.5 Safari/605.1.15", "Safari|Mac/iPad"),
    (f"{MAC.replace('605.1.15', '537.36')} Chrome/137.0.0.0 Safari/537.36", "Chrome|Mac"),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:139.0) Gecko/20100101 Firefox/139.0", "Firefox|Mac"),
    (f"{ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36", "Chrome|Android"),
    ("Mozilla/5.0 (Android 14; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0", "Firefox|Android"),
    (f"{ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 EdgA/137.0.0.0", "Edge|Android"),
    (f"{ANDROID} Chrome/136.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0", "Opera|Android"),
    (f"{ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet|Android"),
    (f"{ANDROID} Version/4.0 Chrome/123.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.31", "Mi Browser|Android"),
    (f"{ANDROID} Chrome/114.0 Mobile HuaweiBrowser/15.0.4 Safari/537.36", "Huawei Browser|Android"),
    # The Chrome in it is the app's view of a page, and not the user's browser.
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36", "|Android"),
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/516.0.0.57.99;]", "Facebook|Android"),
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/511.0;]", "Messenger|Android"),
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36 Instagram 383.0.0.44.81 Android", "Instagram|Android"),
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36 Telegram-Android/11.11 (Samsung; SDK 34)", "Telegram|Android"),
    (f"{WEBVIEW} Chrome/137.0.0.0 Mobile Safari/537.36 Line/15.8.0/IAB", "Line|Android"),
    ("WhatsApp/2.25.17 A", "WhatsApp|"),
    (f"{WINDOWS} Chrome/137.0.0.0 Safari/537.36", "Chrome|Windows"),
    (f"{WINDOWS} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0", "Edge|Windows"),
    (f"{LINUX} Chrome/137.0.0.0 Safari/537.36", "Chrome|Linux"),
    ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36", "Chrome|ChromeOS"),
    ("", ""),
    ("curl/8.9.1", ""),
    ("<b>Chrome on fire</b>|x", ""),
)


@pytest.mark.parametrize(("header", "device"), HEADERS)
def test_header_comes_to_a_browser_and_a_system(header: str, device: str) -> None:
    assert device_of(header) == device
    assert len(device) <= LABEL_LENGTH


@pytest.mark.parametrize(("before", "device"), [(LOOKED_AT - 6, "|iPhone"), (LOOKED_AT - 5, ""), (300_000, "")])
def test_no_more_than_the_beginning_of_a_long_header_is_looked_at(before: int, device: str) -> None:
    assert device_of("\u0301" * before + "iPhone") == device
