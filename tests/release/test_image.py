"""The image of deploy/Containerfile, built on a base that is made here, and served from a read-only root.

Needs Debian, root, and its packages buildah, podman, runc and busybox-static.
"""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import pytest

from scorekeeper.ops import network
from tests.release import base_image
from tests.release.visiting import visit
from tests.serving import free_port, run

type Tool = Callable[..., str]

MEMORY = "/dev/shm"  # noqa: S108
PODMAN = ("podman", "--cgroup-manager", "cgroupfs", "--runtime", "runc")
#: As deploy/compose.yaml starts it. Without limits of its own podman would raise this machine's.
LIKE_COMPOSE = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges")  # noqa: S108
LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000")


@pytest.fixture(scope="module")
def tool() -> Iterator[Tool]:
    """Run buildah or podman on a store of its own, in which the image is called strigula."""
    # In memory where the system has a folder for that: layers are written and read four times over.
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="strigula-images-", dir=memory) as name:
        folder = Path(name)
        store = folder / "storage.conf"
        store.write_text(f'[storage]\ndriver = "overlay"\ngraphroot = "{folder}/images"\nrunroot = "{folder}/run"\n')
        own = {"CONTAINERS_STORAGE_CONF": str(store), "BUILDAH_ISOLATION": "chroot"}
        tool: Tool = partial(run, **own)
        build(tool, folder)
        yield tool
        tool(*PODMAN, "rm", "--all", "--force", "--time", "5")


def build(tool: Tool, folder: Path) -> None:
    base_image.make(folder / "base")
    container = tool("buildah", "from", "scratch").strip()
    tool("buildah", "copy", container, folder / "base", "/")
    tool("buildah", "config", "--env", "PATH=/usr/local/bin:/bin", "--env", pip_certificates(), container)
    tool("buildah", "commit", "--rm", container, "base")
    on_base = ("--format", "docker", "--build-arg", "BASE=localhost/base", "--network", "host")
    tool("buildah", "bud", *on_base, "-f", "deploy/Containerfile", "-t", "strigula", ".")


def pip_certificates() -> str:
    return f"PIP_CERT={os.environ.get('PIP_CERT', '/etc/ssl/certs/ca-certificates.crt')}"


def test_image_serves_from_a_read_only_root_as_a_user_without_rights(tool: Tool) -> None:
    port = free_port()
    start = [*PODMAN, "run", "--detach", "--name", "served", "--network", "host", *LIKE_COMPOSE, *LIMITS]
    tool(*start, "--env", "SCOREKEEPER_HOSTS=127.0.0.1", "localhost/strigula", "serve", "--port", str(port))
    wait_until_ready(tool, port)
    visit(port)
    inside = (*PODMAN, "exec", "served")
    assert "uid=10001(10001) gid=10001(10001)" in tool(*inside, "id")
    assert "Read-only file system" in tool(*inside, "sh", "-c", "touch /opt/x 2>&1 || true")
    assert "1 circle, 1 session, 1 hand." in tool(*inside, "strigula", "manage", "circles")
    tool(*PODMAN, "stop", "--time", "30", "served")
    assert "Stopped. Nothing is lost." in tool(*PODMAN, "logs", "served")


def test_health_check_of_the_image_asks_whether_it_is_ready(tool: Tool) -> None:
    (about,) = json.loads(tool(*PODMAN, "image", "inspect", "localhost/strigula"))
    check = about["Healthcheck"]["Test"]
    assert check[:2] == ["CMD", "python3"]
    # Nothing listens at port 8000 in this container: the check must fail there.
    failing = [*PODMAN, "run", "--rm", *LIMITS, "--network", "none", "--entrypoint", json.dumps(check[1:])]
    assert "Connection refused" in tool("sh", "-c", '"$@" 2>&1 || true', "sh", *failing, "localhost/strigula")


def wait_until_ready(tool: Tool, port: int) -> None:
    for _try in range(600):
        if network.status(port, "/healthz/ready", "127.0.0.1") == 200:
            return
        Event().wait(0.1)
    pytest.fail(tool(*PODMAN, "logs", "served"))
