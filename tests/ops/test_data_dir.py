"""The data folder and the key in it: their owner, and their state when a start is cut short."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.test.utils import override_settings

from scorekeeper.ops import data_dir
from scorekeeper.ops.data_dir import KEY_DRAFTS, secret_key, stored_key
from sessions_app.management.commands import serve
from tests.serving import free_port, managed
from tests.views.failing import FULL

KEY = "0123456789abcdefghij" * 3
NO_SPACE = OSError(errno.ENOSPC, "No space left on device")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_two_first_starts_at_once_agree_on_one_key_and_leave_nothing_else(tmp_path: Path) -> None:
    data, ask = tmp_path / "data", "from django.conf import settings; print(settings.SECRET_KEY)"
    with ThreadPoolExecutor(2) as pool:
        starts = pool.map(lambda _: managed("shell", "-v0", "-c", ask, data=data), range(2))
    keys = {process.stdout.strip() for process in starts}
    assert keys == {(data / "secret_key").read_text()}
    assert [path.name for path in data.iterdir()] == ["secret_key"]
    assert mode(data) == 0o700, "whatever the umask was"
    assert mode(data / "secret_key") == 0o600


def test_many_starts_in_one_moment_agree_too_and_settings_read_what_is_stored(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        [key] = set(pool.map(secret_key, [tmp_path] * 64))
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
    (tmp_path / "secret_key").chmod(0o644)
    assert stored_key(tmp_path) == key
    assert mode(tmp_path / "secret_key") == 0o644, "they change nothing"
    assert secret_key(tmp_path) == key
    assert mode(tmp_path / "secret_key") == 0o600, "a start closes what others can read"
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        stored_key(tmp_path)


def test_a_draft_of_a_killed_start_stops_nobody_and_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / f"{KEY_DRAFTS}{os.getpid()}").write_text("half")
    (tmp_path / f"secret_key.{os.getpid()}").write_text("half, of an earlier version")
    assert len(secret_key(tmp_path)) == 86
    assert not list(tmp_path.glob(f"{KEY_DRAFTS}*"))


def test_the_key_is_on_the_disk_before_it_has_its_name_and_its_name_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, link = os.fsync, os.link

    def fsync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def linked(source: Path, target: Path) -> None:
        done.append(f"named with {source.stat().st_size}")
        link(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "link", linked)
    secret_key(tmp_path)
    assert done == ["file", "named with 86", "folder"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\n", "is empty"),
        (b"\0" * 86, "is empty"),
        (KEY[:49].encode(), "is too short"),
        (b"a" * 86, "is too short"),
        (KEY.encode() + b"\xff", "is damaged"),
        (KEY.encode() + b"\0" * 26, "is damaged"),
    ],
)
def test_half_a_key_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "secret_key").write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match=f"{why}.* from a backup"):
        secret_key(tmp_path)
    assert (tmp_path / "secret_key").read_bytes() == content, "it is not for the program to throw away"
    (tmp_path / "secret_key").write_text(f"{KEY[:50]}\n")
    assert secret_key(tmp_path) == f"{KEY[:50]}\n"


def test_a_refused_key_ends_the_start_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    process = managed("serve", "--port", "1", data=tmp_path)
    assert process.returncode == 1
    assert process.stderr.count("\n") == 1
    assert process.stderr.startswith(f"The secret key {tmp_path}/secret_key is empty.")


def owned_by(user: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program believe that it runs as another user than the owner of its files."""
    monkeypatch.setattr(os, "geteuid", lambda: user)


@pytest.mark.parametrize(
    ("owner", "its_mode", "why"),
    [
        (4322, 0o600, r"belongs to another user \(4322\)"),
        (0, 0o640, ""),
        (0, 0o644, "can be read by every user"),
    ],
)
def test_key_file_of_another_user_is_refused_and_one_of_root_unless_all_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, its_mode: int, why: str
) -> None:
    (tmp_path / "secret_key").write_text(KEY)
    about = (tmp_path / "secret_key").stat()
    foreign = os.stat_result((stat.S_IFREG | its_mode, *about[1:4], owner, *about[5:]))
    owned_by(4321, monkeypatch)
    monkeypatch.setattr(Path, "stat", lambda *_args, **_options: foreign)
    with pytest.raises(ImproperlyConfigured, match=why) if why else nullcontext():
        assert secret_key(tmp_path) == KEY


@pytest.mark.parametrize("name", ["static/css/all.css", "server-8000.pid", "elsewhere.db"])
def test_file_of_another_user_is_refused_with_its_path_owner_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    lay_out(tmp_path, "secret_key", name)
    foreign = {tmp_path / "secret_key", tmp_path / name}
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path not in foreign and access(path, mode))
    owned_by(4321, monkeypatch)
    with pytest.raises(ImproperlyConfigured) as refused:
        data_dir.refuse_foreign(tmp_path, tmp_path / "elsewhere.db")
    path, owner = tmp_path / name, tmp_path.stat().st_uid
    assert str(refused.value) == (
        f"The file {path} belongs to another user ({owner}), and this program runs as 4321. "
        f"Run it as that user, or take over the folder: chown -R 4321 {path.parent}"
    )
    foreign.remove(path)
    data_dir.refuse_foreign(tmp_path, tmp_path / "elsewhere.db")


def test_data_that_cannot_be_written_are_refused_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, "scorekeeper.sqlite3")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ImproperlyConfigured, match=r"cannot be read and written: chmod u\+rwX .*scorekeeper\.sqlite3$"):
        data_dir.refuse_foreign(tmp_path)
    owned_by(4321, monkeypatch)
    with pytest.raises(ImproperlyConfigured, match=rf"^The data folder {tmp_path} belongs to another user "):
        data_dir.make(tmp_path)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("catalogue", NO_SPACE),
        ("database", FULL),
        ("database", CommandError("The database does not answer: disk I/O error")),
        ("database", MigrationSchemaMissing("Unable to create the django_migrations table")),
        ("static files", NO_SPACE),
    ],
)
def test_full_disk_at_the_first_start_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    fail = Mock(side_effect=error)
    monkeypatch.setattr(data_dir, "refuse_foreign", lambda *_paths: None)
    monkeypatch.setattr(serve.signal, "signal", lambda *_: None)
    monkeypatch.setattr(serve.translations, "compile_catalogue", fail if step == "catalogue" else lambda _root: False)
    monkeypatch.setattr(serve, "call_command", fail if step == "database" else lambda *_args, **_options: None)
    monkeypatch.setattr(serve, "collect_static_files", fail)
    if step == "database" and error is not FULL:
        monkeypatch.setattr(data_dir.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=20_000))
    with override_settings(DATA=tmp_path), pytest.raises(CommandError, match=r"^The disk of /.* is full \(\d+ MB are"):
        call_command("serve", port=free_port())


def test_translations_of_a_program_that_may_only_be_read_are_left_to_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    read_only = OSError(errno.EROFS, "Read-only file system", "django.mo.new")
    monkeypatch.setattr(serve.translations, "compile_catalogue", Mock(side_effect=read_only))
    with pytest.raises(CommandError, match=r"^django\.mo\.new cannot be written .* run \./run install as its owner"):
        serve.bring_up_to_date()


def lay_out(folder: Path, *names: str) -> None:
    """Files as an earlier version has left them: everybody may read."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
        (folder / name).chmod(0o644)
        (folder / name).parent.chmod(0o755)


def test_data_files_that_others_can_read_are_closed_to_them(tmp_path: Path) -> None:
    lay_out(tmp_path, "scorekeeper.sqlite3", "scorekeeper.sqlite3-wal", "static.sha256", "static/js/live.js", "notes")
    lay_out(tmp_path / "elsewhere", "other.db")
    data_dir.tighten(tmp_path / "elsewhere", tmp_path / "elsewhere/other.db")
    assert mode(tmp_path / "elsewhere") == 0o700
    assert mode(tmp_path / "elsewhere/other.db") == 0o600
    (tmp_path / "elsewhere/other.db").unlink()
    (tmp_path / "elsewhere").rmdir()
    data_dir.tighten(tmp_path)
    assert mode(tmp_path) == mode(tmp_path / "static/js") == 0o700
    for name in ("scorekeeper.sqlite3", "scorekeeper.sqlite3-wal", "static.sha256", "static/js/live.js"):
        assert mode(tmp_path / name) == 0o600


@pytest.mark.parametrize("why", ["sticky", "holds folders of others"])
def test_a_folder_that_others_use_too_is_left_open_and_only_ours_in_it_is_shut(tmp_path: Path, why: str) -> None:
    lay_out(tmp_path, "scorekeeper.sqlite3", "notes")
    if why == "sticky":
        tmp_path.chmod(0o1777)
    else:
        (tmp_path / "somebody").mkdir()
    data_dir.tighten(tmp_path)
    assert mode(tmp_path) & 0o055 == 0o055
    assert mode(tmp_path / "scorekeeper.sqlite3") == 0o600
    assert mode(tmp_path / "notes") == 0o644
