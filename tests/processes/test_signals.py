"""Signals: put off where they would break something, heard everywhere else, by no process that shares the work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest

from entropeg import signals
from interrupting import catches, hearing, wait_until

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def run(script: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program that takes the signals first."""
    code = f"import signal\nfrom entropeg import signals\nsignals.take()\n{dedent(script)}"
    with hearing():
        return subprocess.run(
            [sys.executable, "-c", code], cwd=folder, check=False, capture_output=True, text=True, timeout=60
        )


# ------------------------------------------------------------ in a program that uses the library


def test_a_held_block_is_finished_before_ctrl_c_is_heard() -> None:
    done = []

    def block() -> None:
        with signals.held():
            ctrl_c()
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert ["all"] == done


def test_a_safe_point_inside_a_held_block_hears_at_once() -> None:
    done = []

    def block() -> None:
        with signals.held() as check:
            check()
            ctrl_c()
            done.append("before")
            check()
            done.append("after")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert ["before"] == done


def test_only_the_outermost_of_two_held_blocks_lets_ctrl_c_through() -> None:
    done = []

    def block() -> None:
        with signals.held():
            with signals.held():
                ctrl_c()
            done.append("between")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert ["between"] == done


def test_who_wants_to_be_told_is_told_at_once_and_nothing_is_raised() -> None:
    told: list[str] = []
    with signals.held(lambda: told.append("outer")):
        ctrl_c()
        with signals.held(lambda: told.append("inner")), signals.held():
            signals._state.at -= signals.SAME  # as if a second had passed
            ctrl_c()

    assert ["outer", "inner"] == told


def test_after_a_held_block_ctrl_c_is_python_s_own_again() -> None:
    with pytest.raises(KeyboardInterrupt), signals.held():
        ctrl_c()
    with pytest.raises(KeyboardInterrupt), signals.held():
        ctrl_c()

    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_ctrl_c_at_the_very_edges_of_a_held_block_leaves_python_s_own_way_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    put = signal.signal

    def put_and_press(number: int, handler: object) -> object:
        before = put(number, handler)  # type: ignore[arg-type]
        if handler is signals._hear or done:
            ctrl_c()
        return before

    def block() -> None:
        with signals.held():
            done.append("all")

    monkeypatch.setattr(signal, "signal", put_and_press)
    with pytest.raises(KeyboardInterrupt):
        block()
    monkeypatch.undo()

    assert ["all"] == done
    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)


def test_a_second_ctrl_c_is_not_put_off() -> None:
    done = []

    def block() -> None:
        with signals.held():
            ctrl_c()
            done.append("first")
            signals._state.at -= signals.SAME
            ctrl_c()
            done.append("second")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert ["first"] == done


def test_handlers_of_others_are_left_alone() -> None:
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append("theirs"))
    with signals.held():
        ctrl_c()

    assert ["theirs"] == heard


def test_in_another_thread_a_held_block_changes_nothing() -> None:
    seen = []

    def look() -> None:
        with signals.held():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert [signal.default_int_handler] == seen


# ------------------------------------------------------------ on the command line


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_every_signal_is_heard_alike_and_the_exit_code_tells_which(name: str, code: int) -> None:
    ended = run(
        f"""
        try:
            signal.raise_signal(signal.{name})
        except KeyboardInterrupt:
            raise SystemExit(signals.exit_code())
        """
    )

    assert (code, "", "") == (ended.returncode, ended.stdout, ended.stderr)


def test_a_signal_in_a_callback_of_compiled_code_is_heard_after_it() -> None:
    ended = run(
        """
        import ctypes, time
        try:
            ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()
            time.sleep(60)
        except KeyboardInterrupt:
            print("heard")
        """
    )

    assert ("heard\n", "") == (ended.stdout, ended.stderr)


def test_a_signal_while_a_module_is_imported_waits_for_its_end(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import signal, time\nsignal.raise_signal(signal.SIGTERM)\ntime.sleep(0.2)\nprint('imported')\n"
    )
    ended = run(
        """
        import time
        try:
            import slow
            time.sleep(60)
        except KeyboardInterrupt:
            print("heard")
        """,
        tmp_path,
    )

    assert ("imported\nheard\n", "") == (ended.stdout, ended.stderr)


def test_a_signal_that_is_put_off_is_tried_again_until_it_is_heard() -> None:
    """An alarm that comes just before the program falls asleep wakes nobody: here the first three do not."""
    ended = run(
        """
        import time
        missed = []
        raised = signals._try_again
        signal.signal(signal.SIGALRM, lambda *alarm: missed.append(alarm) if len(missed) < 3 else raised(*alarm))
        try:
            signals._put_off()
            time.sleep(60)
        except KeyboardInterrupt:
            print("heard", len(missed), signal.getitimer(signal.ITIMER_REAL))
        """
    )

    assert ("heard 3 (0.0, 0.0)\n", "") == (ended.stdout, ended.stderr)


def test_a_second_signal_ends_the_program_at_once_and_what_it_has_started() -> None:
    ended = run(
        """
        import time
        from entropeg.processes import Child
        signals.SAME = 0.0
        child = Child(["sleep", "600"])
        print(child._process.pid, flush=True)
        with signals.held():
            signal.raise_signal(signal.SIGTERM)
            print("held", flush=True)
            signal.raise_signal(signal.SIGTERM)
            time.sleep(60)
        """
    )
    pid, held = ended.stdout.split()

    assert (143, "held", "") == (ended.returncode, held, ended.stderr)
    assert wait_until(lambda: not Path(f"/proc/{pid}").exists())


LAST = {
    "at once": "signal.raise_signal(signal.SIGINT); print('not reached')",
    "while it waits for threads": "threading.Thread(target=lambda: os.kill(os.getpid(), signal.SIGTERM)).start()",
    "among its last steps": "atexit.register(signal.raise_signal, signal.SIGINT)",
    "after them": "signal.last = Last()",
}
"""Signals that come when a program has done everything, and the moment."""


@pytest.mark.parametrize("last", LAST.values(), ids=LAST.keys())
def test_a_signal_after_the_work_changes_no_exit_code(last: str) -> None:
    ended = run(
        f"""
        import atexit, os, threading

        class Last:
            def __del__(self, kill=os.kill, process=os.getpid()):
                kill(process, 15)

        signals.let_go(7)
        {last}
        raise SystemExit(7)
        """
    )

    assert (7, "", "") == (ended.returncode, ended.stdout, ended.stderr)


def test_what_the_program_was_started_to_ignore_stays_ignored() -> None:
    code = (
        "import signal, os; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execvp('sh', ['sh', '-c', os.sys.argv[1]])"
    )
    inner = (
        f"{sys.executable} -c 'from entropeg import signals; import signal; signals.take(); "
        'signal.raise_signal(signal.SIGHUP); print("still here")\''
    )
    ended = subprocess.run([sys.executable, "-c", code, inner], check=False, capture_output=True, text=True)

    assert ("still here\n", 0) == (ended.stdout, ended.returncode)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what a process hears is looked up in /proc")
def test_a_process_that_is_kept_from_signals_hears_none_from_its_first_instruction_on() -> None:
    with signals.kept_from_children():
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        wait_until(lambda: catches(child.pid, signal.SIGINT))
        os.kill(child.pid, signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.3)
    finally:
        child.kill()
        child.wait()
