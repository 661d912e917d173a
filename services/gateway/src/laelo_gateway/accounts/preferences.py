"""What a person has set, that goes with them from device to device.

The page brings what was changed on the device and takes what is kept: nothing here means anything
to a game. What belongs to a device, as its voices, or to its guest, as their name, stays there.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Switch = bool | UnsetType


class Preferences(msgspec.Struct, kw_only=True, frozen=True):
    """As in the page's settings. What is left out was never set; what is not known here, as a
    page of another version may send it, is not kept.
    """

    dim: Switch = UNSET
    confirm: Switch = UNSET
    colours: Switch = UNSET
    sounds: Switch = UNSET
    voice: Switch = UNSET
    motion: Switch = UNSET
    letters: Switch = UNSET
    forced: Switch = UNSET
    tiles: Literal["small", "normal", "large"] | UnsetType = UNSET
    theme: Literal["auto", "light", "dark"] | UnsetType = UNSET
    lang: Literal["pt", "es", "en"] | UnsetType | None = UNSET
    """None is that of the browser."""

    def kept(self) -> dict[str, Any]:
        """What was set, as JSON holds it."""
        return dict(msgspec.to_builtins(self))


class Merge(msgspec.Struct, frozen=True):
    """What a device brings: what was changed on it goes before what is kept, and where neither is
    known what it has otherwise fills the gap, as on the first device of an account.
    """

    changed: Preferences = Preferences()
    otherwise: Preferences = Preferences()
