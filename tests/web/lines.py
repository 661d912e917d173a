"""Connections with a mind of their own, between the page and a real gateway."""

import json
import re

from playwright.sync_api import Page, WebSocketRoute


class HeldLine:
    """Once a hand is over, nothing more is told of the table until it is let go: what is shown
    then stays as long as a test looks at it, however short the pause between hands.
    """

    def __init__(self, page: Page) -> None:
        self._near: WebSocketRoute | None = None
        self._held: list[str] = []
        self._holds = False
        self._is_let_go = False
        page.route_web_socket(re.compile("/ws$"), self._connect)

    @property
    def holds(self) -> bool:
        """Whether the end of a hand is being held."""
        return self._holds and not self._is_let_go

    def let_go(self) -> None:
        """Tell what was held, and everything from now on."""
        self._is_let_go = True
        held, self._held = self._held, []
        for text in held:
            if self._near is not None:
                self._near.send(text)

    def forget(self) -> None:
        """The page is loaded anew: it is told everything from now on, and nothing of before."""
        self._is_let_go = True
        self._held = []

    def _connect(self, near: WebSocketRoute) -> None:
        self._near, far = near, near.connect_to_server()
        near.on_message(far.send)
        far.on_message(lambda text: self._back(near, str(text)))

    def _back(self, near: WebSocketRoute, text: str) -> None:
        if self._is_let_go:
            near.send(text)
            return
        frame = json.loads(text)
        is_news = frame["t"] in ("event", "snapshot")
        if self._holds and is_news:
            self._held.append(text)
            return
        events = frame["d"].get("events", ()) if frame["t"] == "event" else ()
        self._holds = self._holds or any(event["k"] == "hand_ended" for event in events)
        near.send(text)
