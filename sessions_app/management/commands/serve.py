"""manage.py serve: bring everything up to date, serve it on the local network, and say where."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from argparse import ArgumentTypeError
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.utils import timezone

from scorekeeper.db import database_errors
from scorekeeper.http.bundles import BUNDLES
from scorekeeper.ops import backups, data_dir, deployment, metrics, network, processes, project
from scorekeeper.ops.deployment import startup_warnings
from scorekeeper.ops.network import OwnHosts
from scorekeeper.ops.processes import SECONDS_TO_STOP
from sessions_app import rate_limits
from sessions_app.management import translations
from sessions_app.readers.people.users import lost_domains
from sessions_app.writers import cleanup, results

SECONDS_TO_START = 60
#: White on black, of the 256-colour palette: its first 16 colours are the user's to choose, the others are fixed.
WHITE_ON_BLACK = "\x1b[38;5;231;48;5;16m"
RESET = "\x1b[0m"
COMPRESSED = re.compile(r"\.(gz|br)$")


def port_number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError("give a port number from 1 to 65535")
    return int(text)


def ip_address_of(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError as error:
        raise ArgumentTypeError("give an address of this machine, such as 127.0.0.1") from error


class Command(BaseCommand):
    help = "Serve the app to this machine and to phones on the same network, until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=port_number, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument(
            "--host",
            type=ip_address_of,
            help="address to listen on (default: all; with SCOREKEEPER_PROXY 127.0.0.1 alone)",
        )
        parser.add_argument("--socket", type=Path, help="Unix socket to listen on, instead of a port")
        parser.add_argument("--workers", type=int, default=2, help="server processes (default: 2)")
        parser.add_argument("--demo", action="store_true", help="add a demo circle: one session in play, and past ones")

    def handle(
        self, *, port: int, host: str | None, socket: Path | None, workers: int, demo: bool, **options: Any
    ) -> None:
        if demo and not settings.DEMO:
            raise CommandError("--demo: this server has no demo. Set SCOREKEEPER_DEMO=true, or start without --demo.")
        at = deployment.listens_at(host, socket)
        data_dir.refuse_foreign(settings.DATA, *database_file())
        # From here on a signal only sets a flag, read between two steps: no step is cut short, no process is orphaned.
        stopping = threading.Event()
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, lambda *_: stopping.set())
        try:
            listener = "socket" if socket else port
            with processes.claimed(settings.DATA, listener) as left_behind:
                if socket:
                    network.clear_socket(Path(at))
                else:
                    # The server of a killed run exits by itself as soon as its pipe closes.
                    network.check_port(port, SECONDS_TO_STOP * 2 if left_behind else 0, at)
                bring_up_to_date()
                self.note_time_zone()
                self.warn(at)
                metrics.prepare(settings.DATA / f"{data_dir.METRICS}{listener}")
                path = load_demo() if demo else "/"
                if not stopping.is_set():
                    self.serve(at, port, workers, path, stopping)
        except processes.AlreadyRunning as error:
            raise CommandError(network.in_use(None if socket else port, error.process)) from error
        except network.PortTaken as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(data_dir.problem(error, settings.DATA)) from error
        self.stdout.write(f"\nStopped. {last_words()}")

    def warn(self, at: str) -> None:
        """Warn of settings that do harm, and of other programs that write to the database past the queue."""
        warnings = list(deployment.warnings(at))
        for file in database_file():
            warnings += startup_warnings(file)
        if lost := lost_domains(settings.PASSKEY_DOMAIN, settings.ALLOWED_HOSTS):
            warnings.append(
                f"Passkeys were made for {', '.join(lost)}, and open nothing here. Serve that host as well, or tell "
                "its players to sign in by a spare key or another phone (docs/running.md, 'Moving to another domain')."
            )
        for warning in warnings:
            self.stderr.write(f"Warning: {warning}")

    def note_time_zone(self) -> None:
        """Store the time zone that is served, for `verify`, which may be run without the server's environment."""
        zone = settings.TIME_ZONE
        before = results.change_time_zone(zone)
        if before not in ("", zone):
            self.stderr.write(f"Warning: The time zone of the sessions was {before} and is {zone} from now on.")

    def serve(self, at: str, port: int, workers: int, path: str, stopping: threading.Event) -> None:
        process = start_server(at, port, workers)
        well = False
        try:
            well = answers(process, at, port, stopping)
            if well:
                self.announce(at, port, path)
                # In a thread, after the start: no request waits for the clean-up.
                threading.Thread(target=cleanup.keep_swept, args=(stopping,), daemon=True).start()
            lan = network.lan_address()
            while process.poll() is None and not stopping.wait(1):
                lan = self.announce_anew(lan, at, port, path)
            if process.poll() is not None:
                raise CommandError("The server stopped unexpectedly. Its last messages are above.")
        finally:
            stop_server(process, in_order=well)

    def announce_anew(self, before: str | None, at: str, port: int, path: str) -> str | None:
        """Print the addresses again if the network has changed. Return the current LAN address."""
        lan = network.lan_address()
        if lan not in (before, None) and at in network.EVERYWHERE and isinstance(settings.ALLOWED_HOSTS, OwnHosts):
            self.announce(at, port, path)
        return lan

    def announce(self, at: str, port: int, path: str) -> None:
        """Print the addresses, and a QR code for phones."""
        hosts, lan = list(settings.ALLOWED_HOSTS), network.lan_address()
        address = deployment.address(at, port, hosts)
        where = "On this machine:" if address == f"http://localhost:{port}" else "Address:"
        self.stdout.write(
            f"\n  {where}  {address}{path}" if address else f"\n  No address answers. It listens at {at}."
        )
        phones_connect = not (settings.PROXY or settings.HTTPS) and at in (lan, *network.EVERYWHERE)
        if phones_connect and lan in hosts:
            address = f"http://{lan}:{port}{path}"
            self.stdout.write(f"  On this network:  {address}\n\n{qr_code(address, is_terminal=self.stdout.isatty())}")
        elif phones_connect and lan is None:
            self.stdout.write("  No network found: phones cannot connect.\n")
        if project.IS_INSTALLED:
            self.stdout.write(f"  Data: {settings.DATA}")
        self.stdout.write(f"  {last_backup()}\n  Ctrl-C stops it.")
        self.stdout.flush()


def last_backup() -> str:
    if at := backups.last(settings.DATA):
        return f"Last backup: {timezone.localtime(at):%Y-%m-%d %H:%M}"
    return f"No backup yet: {project.command('manage backup FILE')}"


def last_words() -> str:
    database = connection.settings_dict["NAME"]
    is_lost = connection.vendor == "sqlite" and not Path(database).exists()
    return f"There is no database {database}: put it back, or restore a backup." if is_lost else "Nothing is lost."


def database_file() -> list[Path]:
    """Return the file of a SQLite database, as a list of one, else none."""
    return [Path(connection.settings_dict["NAME"]).resolve()] if connection.vendor == "sqlite" else []


def bring_up_to_date() -> None:
    """Compile translations, migrate, collect static files, set file permissions. Cheap when nothing has changed."""
    compile_translations()
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except (OperationalError, MigrationSchemaMissing, CommandError) as error:
        where = [file.parent for file in database_file()]
        # SQLite reports 'disk I/O error' if the disk has no room for its log.
        if database_errors.classify(error) == database_errors.FULL or any(map(data_dir.is_full, where)):
            raise CommandError(data_dir.full(*where) if where else "The disk of the database is full.") from error
        if isinstance(error, CommandError):
            raise
        raise CommandError(f"The database does not answer: {error}") from error
    collect_static_files()
    rate_limits.forget()
    data_dir.tighten(settings.DATA, *database_file())


def compile_translations() -> None:
    try:
        translations.compile_catalogue(settings.BASE_DIR)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
        # In a checkout: a wheel has its catalogues compiled.
        raise CommandError(
            f"{error.filename} cannot be written ({error.strerror}): run ./run install as its owner."
        ) from error


def collect_static_files() -> None:
    """Collect, hash and compress the static files, unless the sources and the bundles are as they were last time.

    Files of the previous version are kept for open pages; older ones are deleted.
    """
    contents = sha256(f"{settings.STORAGES['staticfiles']['BACKEND']} {BUNDLES}".encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            contents.update(path.encode() + b"\0" + Path(storage.path(path)).read_bytes())
    collected = Path(settings.STATIC_ROOT)
    stamp = collected.with_name(f"{collected.name}.sha256")
    is_complete = collected.is_dir() and stamp.exists()
    if is_complete and stamp.read_text() == contents.hexdigest():
        return
    before = in_manifest(collected)
    stamp.unlink(missing_ok=True)
    # A run that a full disk has ended may leave half a file, which collectstatic would keep: clear the folder.
    call_command("collectstatic", verbosity=0, interactive=False, clear=not is_complete)
    known = before | in_manifest(collected)
    for file in collected.rglob("*"):
        if file.is_file() and COMPRESSED.sub("", file.relative_to(collected).as_posix()) not in known:
            file.unlink()
    stamp.write_text(contents.hexdigest())


def in_manifest(collected: Path) -> set[str]:
    """Return the names of the files in the manifest, with and without their hashes, and that of the manifest."""
    file = collected / "staticfiles.json"
    paths = json.loads(file.read_text())["paths"] if file.exists() else {}
    return {file.name, *paths, *paths.values()}


def load_demo() -> str:
    from sessions_app.writers import demo

    path: str = demo.load()
    connection.close()
    return path


def start_server(at: str, port: int, workers: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # numbers, and an address or a path
        [sys.executable, "-m", "scorekeeper.ops.server", at, str(port), str(workers)],
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,  # never written to: it closes when this process ends
        process_group=0,  # Ctrl-C in the terminal reaches this process only, which then stops the server
    )


def stop_server(process: subprocess.Popen[bytes], *, in_order: bool) -> None:
    """Stop the server, after its running requests if `in_order`. One that never came up is killed at once."""
    if in_order:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_TO_STOP * 2)
    with suppress(ProcessLookupError, PermissionError):  # macOS says EPERM where Linux says ESRCH
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def answers(process: subprocess.Popen[bytes], at: str, port: int, stopping: threading.Event) -> bool:
    """Wait until /healthz answers 200. Return False if the server stopped or is to stop. Raise CommandError."""
    deadline = time.monotonic() + SECONDS_TO_START
    while (status := network.status(port, "/healthz", "localhost", at=at)) is None and time.monotonic() < deadline:
        if process.poll() is not None or stopping.wait(0.05):
            return False
    if status != 200:
        raise CommandError(f"The server did not start: /healthz answers {status or 'nothing'}.")
    return True


def qr_code(address: str, *, is_terminal: bool) -> str:
    """Return a QR code drawn in half blocks, which are its light parts; white on black on a terminal.

    In the colours of a light terminal the blocks would be dark, and few phones read an inverted code.
    """
    drawing = io.StringIO()
    segno.make(address, micro=False).terminal(drawing, border=2, compact=True)
    before, after = (WHITE_ON_BLACK, RESET) if is_terminal else ("", "")
    return "".join(f"{before}{line}{after}\n" for line in drawing.getvalue().splitlines())
