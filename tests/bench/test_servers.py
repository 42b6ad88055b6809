"""Cost of a page, a poll and a form by the server that serves them, in turn, several times over.

./run test -s tests/bench/test_servers.py
"""

import asyncio
import os
import time
from collections import defaultdict
from contextlib import closing, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from tests.bench import fronts
from tests.browser.server import Server
from tests.strangers import Player, post, reply
from tests.views.page import Page, hand_form, session_form

ROUNDS, SECONDS, CONNECTIONS = 5, 1.5, 8
OURS = "ours"


async def asked(port: int) -> dict[str, bytes]:
    """The requests of a phone at a table of three, as bytes."""
    player = Player(port)
    form = session_form(Page((await player.ask("/sessions/new/")).body.decode()))
    names = {f"player_{number}": name for number, name in enumerate(("Anna", "Béla", "Cili"), 1)}
    begun = await player.ask("/sessions/new/", urlencode(form | names | {"first_dealer": "1"}).encode())
    assert begun.status == 302, begun
    evening = str(begun.header("Location")).partition("?")[0]
    page = Page((await player.ask(evening)).body.decode())
    [live] = [node for node in page.all() if node.attrs.get("data-live", "").endswith("/live/")]
    fields = hand_form(Page((await player.ask(f"{evening}hands/new/")).body.decode()))
    body = urlencode(fields | {"declarer": "1", "contract": "2", "trump": "hearts", "tricks": "7"}).encode()
    cookie = b"Cookie: " + "; ".join(f"{name}={value}" for name, value in player.cookies.items()).encode()

    def get(path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + cookie + b"\r\n\r\n"

    return {
        "healthz": get("/healthz"),
        "page": get(evening),
        "poll": get(f"{live.attrs['data-live']}?v={live.attrs['data-version']}"),
        "form": post(f"{evening}hands/preview/", cookie, b"HX-Request: true", b"Content-Length: %d" % len(body)) + body,
    }


async def again_and_again(port: int, request: bytes, times: list[float]) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        # waitress closes a connection after every 204.
        with closing(writer), suppress(OSError, EOFError):
            while (begin := time.monotonic()) < end:
                writer.write(request)
                assert (await reply(reader)).status < 300
                times.append(time.monotonic() - begin)


async def hammered(port: int, request: bytes) -> list[float]:
    times: list[float] = []
    await asyncio.gather(*(again_and_again(port, request, times) for _ in range(CONNECTIONS)))
    return times


def processor_seconds(server: Server) -> float:
    """The processor time of all workers since they began; Linux only."""
    stats = [Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split() for worker in server.workers()]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def test_what_a_way_in_costs(tmp_path: Path) -> None:
    server = Server(tmp_path, workers=2)
    ours, (port, workers) = server.arguments, server.arguments[-2:]
    kinds = {OURS: ours} | {kind: ["-m", "tests.bench.fronts", kind, port, workers] for kind in fronts.installed()}
    found: defaultdict[tuple[str, str], list[tuple[float, float, float]]] = defaultdict(list)
    for _round in range(ROUNDS):
        for kind, arguments in kinds.items():
            server.arguments = arguments
            try:
                server.start()
                for name, request in asyncio.run(asked(server.port)).items():
                    before = processor_seconds(server)
                    times = asyncio.run(hammered(server.port, request))
                    used = (processor_seconds(server) - before) / len(times)
                    found[name, kind].append((len(times) / SECONDS, used * 1000, median(times) * 1000))
            finally:
                server.kill()
    print("\n| asked for | way in | a second (median of rounds, best) | processor | median |\n|---|---|---|---|---|")  # noqa: T201
    for (name, kind), rounds in sorted(found.items()):
        rate, used, took = zip(*rounds, strict=True)
        print(f"| {name} | {kind} | {median(rate):.0f} ({max(rate):.0f}) | {min(used):.2f} ms | {min(took):.1f} ms |")  # noqa: T201
