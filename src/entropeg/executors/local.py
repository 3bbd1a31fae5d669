"""A dask cluster of this machine: a scheduler in this process, and a process for each worker.

It listens on this machine alone, and to nobody without its key, which never leaves memory: else any user of the machine
could have calls done in another's name. Workers hear no signal, and end with this process, however it ends.
"""

from __future__ import annotations

import logging
import multiprocessing
import warnings
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

from entropeg.errors import EntropegError
from entropeg.executors.pool import only_a_file_is_imported, start_tracker
from entropeg.executors.processes import GUARD

STARTED = 60.0
"""Seconds that the workers have to start in."""

SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.http.routes": [],
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.worker-ttl": None,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.nanny.pre-spawn-environ": {},
}
"""What differs from dask's own: nothing is sampled nor shown. Idle, a worker takes 0.4 % of a processor and not 3.5."""


class LocalWorkers:
    """The cluster of one run."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._cluster: Any = None  # of distributed, which is not typed
        self._folder: TemporaryDirectory[str] | None = None

    def start(self) -> Any:
        """Start scheduler and workers; raises EntropegError where they do not come."""
        # While it imports the program a process cannot start others.
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise SystemExit(GUARD)
        import dask
        from distributed import Client, LocalCluster
        from distributed.security import Security

        start_tracker()
        self._folder = TemporaryDirectory(prefix="entropeg-", ignore_cleanup_errors=True)
        try:
            with dask.config.set(SETTINGS), warnings.catch_warnings(), only_a_file_is_imported():
                warnings.simplefilter("ignore")
                self._cluster = LocalCluster(
                    n_workers=self.count,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    security=Security.temporary(),
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL + 1,
                    local_directory=self._folder.name,
                    config=SETTINGS,
                    death_timeout=STARTED,
                )
                client = Client(self._cluster, timeout=STARTED, set_as_default=False)
                client.wait_for_workers(self.count, timeout=STARTED)
        except (OSError, RuntimeError, TimeoutError) as error:
            self.stop(at_once=True)
            said = " ".join(str(error).split())[:200]
            raise EntropegError(
                "the workers of a local dask cluster did not start ({said}); {guard}", said, GUARD
            ) from None
        return client

    def restart(self, address: str) -> None:
        """End the worker at an address at once, and start another in its place."""
        cluster = self._cluster
        if cluster is not None:
            for nanny in list(cluster.workers.values()):
                if nanny.worker_address == address:
                    cluster.loop.add_callback(nanny.kill, timeout=1)

    def stop(self, *, at_once: bool) -> None:
        """End scheduler and workers: at once, whatever these do, or in order."""
        cluster, self._cluster = self._cluster, None
        folder, self._folder = self._folder, None
        if cluster is not None:
            if at_once:
                with suppress(Exception):
                    cluster.sync(_close_all, list(cluster.workers.values()))
            with suppress(Exception):
                cluster.close(timeout=10)
        if folder is not None:
            folder.cleanup()


async def _close_all(nannies: list[Any]) -> None:
    from asyncio import gather

    await gather(*(nanny.close(timeout=0.5) for nanny in nannies), return_exceptions=True)
