"""An event loop beside Playwright's, which goes on in a test process once it has opened a browser."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run[T](coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the coroutine's result; it runs in a thread of its own, since a thread runs only one loop at a time."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
