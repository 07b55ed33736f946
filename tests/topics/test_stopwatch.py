"""No pattern takes the time it likes, and whoever had a timer before has it after."""

from __future__ import annotations

import re
import signal
import threading
import time

import pytest

from koog.topics.triggers.stopwatch import WINDOW, Stopwatch, TooLong

HOPELESS = re.compile("(a+)+$")
ENDLESS = "a" * 60 + "b"  # a year or more


def test_a_pattern_that_would_take_years_is_stopped():
    with Stopwatch() as watch, pytest.raises(TooLong, match="ran for more than 50 ms"):
        watch.search(HOPELESS, ENDLESS, tame=False)


def test_the_next_pattern_after_a_stopped_one_is_searched():
    with Stopwatch() as watch:
        with pytest.raises(TooLong):
            watch.search(HOPELESS, ENDLESS, tame=False)
        found = watch.search(re.compile("b$"), ENDLESS, tame=True)

    assert found is not None
    assert found.start() == 60


def test_many_hopeless_patterns_are_not_tried_one_after_the_other():
    told = []
    with Stopwatch() as watch:
        for _ in range(30):
            with pytest.raises(TooLong) as stopped:
                watch.search(HOPELESS, ENDLESS, tame=False)
            told.append(str(stopped.value))

    assert told[0].startswith("stopped")
    assert sum(message.startswith("stopped") for message in told) <= 10
    assert told[-1].startswith("not tried")


def test_the_handler_and_the_timer_that_were_there_come_back():
    rings = []
    before = signal.signal(signal.SIGVTALRM, lambda *_: rings.append(1))
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.12)
        with Stopwatch() as watch, pytest.raises(TooLong):
            watch.search(HOPELESS, ENDLESS, tame=False)
        assert rings == []
        until = time.process_time() + 5
        while not rings and time.process_time() < until:
            pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        mine = signal.signal(signal.SIGVTALRM, before)

    assert rings == [1]
    assert callable(mine)


def test_a_stopwatch_leaves_no_timer_behind():
    with Stopwatch():
        pass

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL


def test_another_thread_searches_tame_patterns_only():
    told: list[object] = []

    def work() -> None:
        with Stopwatch() as watch:
            told.append(watch.search(re.compile("a"), "xa", tame=True))
            told.append(watch.search(re.compile("a"), "x" * WINDOW + "a", tame=True))
            with pytest.raises(TooLong) as stopped:
                watch.search(HOPELESS, ENDLESS, tame=False)
            told.append(str(stopped.value))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert isinstance(told[0], re.Match)
    assert told[1:] == [None, "not tried: it may take long, and only the main thread can stop it"]


@pytest.mark.parametrize("at", [0, WINDOW - 3, WINDOW, 3 * WINDOW + 17, 99_994])
def test_a_long_text_is_searched_to_its_end(at):
    text = "." * at + "needle" + "." * (100_000 - at - 6)

    with Stopwatch() as watch:
        found = watch.search(re.compile("needle"), text, tame=True)

    assert found is not None
    assert found.start() == at


def test_the_end_of_a_window_is_not_the_end_of_the_text():
    text = "x" * 100_000 + "y"

    with Stopwatch() as watch:
        assert watch.search(re.compile("x$"), text, tame=True) is None
        assert watch.search(re.compile("y$"), text, tame=True)
        assert watch.search(re.compile("^y"), text, tame=True) is None
