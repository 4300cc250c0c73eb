import asyncio

import pytest

from coupsite import asgi


async def test_the_worker_lives_as_long_as_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    async def run(stop: asyncio.Event) -> None:
        seen.append("started")
        await stop.wait()
        seen.append("stopped")

    monkeypatch.setattr("games.worker.run", run)
    incoming: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    sent: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    server = asyncio.create_task(
        asgi.application({"type": "lifespan"}, incoming.get, sent.put)  # type: ignore[arg-type]
    )

    await incoming.put({"type": "lifespan.startup"})
    assert (await sent.get())["type"] == "lifespan.startup.complete"
    await asyncio.sleep(0)
    assert seen == ["started"]

    await incoming.put({"type": "lifespan.shutdown"})
    assert (await sent.get())["type"] == "lifespan.shutdown.complete"
    await server
    assert seen == ["started", "stopped"]


async def test_a_worker_that_crashes_is_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()
    runs = 0

    async def run(stop: asyncio.Event) -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise RuntimeError("out of ink")
        stop.set()

    monkeypatch.setattr("games.worker.run", run)
    monkeypatch.setattr(asgi, "PAUSE_AFTER_CRASH", 0.001)
    await asyncio.wait_for(asgi.keep_working(stop), 5)
    assert runs == 3
    assert caplog.text.count("The worker crashed") == 2


async def test_stopping_does_not_wait_for_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(stop: asyncio.Event) -> None:
        raise RuntimeError

    monkeypatch.setattr("games.worker.run", run)
    stop = asyncio.Event()
    working = asyncio.create_task(asgi.keep_working(stop))
    await asyncio.sleep(0.01)
    stop.set()
    await asyncio.wait_for(working, 1)
