"""The window: drawn anew once a second, and at once for a key or another size."""

import asyncio
import curses
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from laelo_tools.top.drawing import Line, Order, Style, draw, ordered
from laelo_tools.top.picture import Picture

QUIT: Final = "q"
SECOND: Final = 1.0

Next = Callable[[], Awaitable[Picture]]
_COLOURS: Final = {Style.TITLE: curses.COLOR_CYAN, Style.BAD: curses.COLOR_RED}


class Screen:
    """Shows pictures until `q` is typed. The terminal is left as it was found."""

    def __init__(self, following: Next) -> None:
        self._following = following
        self._order = Order()
        self._window: Any = None
        self._picture: Picture | None = None
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Show them."""
        self._window = curses.initscr()
        loop = asyncio.get_running_loop()
        try:
            self._begin()
            loop.add_reader(sys.stdin.fileno(), self._typed)
            loop.add_signal_handler(signal.SIGWINCH, self._resized)
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._over.set)
            looking = asyncio.create_task(self._look())
            done = asyncio.create_task(self._over.wait())
            await asyncio.wait([looking, done], return_when=asyncio.FIRST_COMPLETED)
            done.cancel()
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            if not looking.cancelled() and (error := looking.exception()) is not None:
                raise error
        finally:
            loop.remove_reader(sys.stdin.fileno())
            for number in (signal.SIGWINCH, signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
            self._end()

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            self._picture = await self._following()
            self._draw()
            await asyncio.sleep(max(SECOND - (loop.time() - began), 0.1))

    def _begin(self) -> None:
        curses.noecho()
        curses.cbreak()
        self._window.keypad(True)
        self._window.nodelay(True)
        if curses.has_colors():
            curses.start_color()
            curses.use_default_colors()
            for style, colour in _COLOURS.items():
                curses.init_pair(style.value, colour, -1)
        if curses.tigetstr("civis"):
            curses.curs_set(0)

    def _end(self) -> None:
        self._window.keypad(False)
        curses.nocbreak()
        curses.echo()
        curses.endwin()

    def _typed(self) -> None:
        while (key := self._window.getch()) != curses.ERR:
            if key == ord(QUIT):
                self._over.set()
            elif 0 < key < 128:
                self._order = ordered(self._order, chr(key))
        self._draw()

    def _resized(self) -> None:
        size = os.get_terminal_size(sys.stdout.fileno())
        curses.resizeterm(size.lines, size.columns)
        self._draw()

    def _draw(self) -> None:
        if self._picture is None:
            return
        height, width = self._window.getmaxyx()
        self._window.erase()
        # The last column stays free: a terminal would go on to the next line after it.
        for row, line in enumerate(draw(self._picture, width - 1, height, self._order)):
            self._window.addstr(row, 0, line.text, self._shade(line))
        self._window.refresh()

    def _shade(self, line: Line) -> int:
        if line.style is Style.HEAD:
            return curses.A_REVERSE
        if line.style in _COLOURS and curses.has_colors():
            return curses.color_pair(line.style.value) | curses.A_BOLD
        return curses.A_BOLD if line.style is not Style.PLAIN else curses.A_NORMAL
