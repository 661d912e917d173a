"""A channel that outlives its certificate."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import grpc
import grpc.aio

from laelo_common.stream.options import CLIENT_OPTIONS
from laelo_common.tls.files import Pems


class RenewedChannel(grpc.aio.Channel):
    """To a replica of `service`, known by its certificate and not by its address, which is that
    of a pod. Calls that begin after a renewal show the new certificate; those under way, such as
    streams, stay on the connection that they have.
    """

    def __init__(self, address: str, service: str, pems: Callable[[], Pems]) -> None:
        self._address = address
        self._options = (*CLIENT_OPTIONS, ("grpc.ssl_target_name_override", service))
        self._newest = pems
        self._pems = pems()
        self._channel = self._open()
        self._earlier: list[grpc.aio.Channel] = []

    def _open(self) -> grpc.aio.Channel:
        credentials = grpc.ssl_channel_credentials(
            root_certificates=self._pems.authority,
            private_key=self._pems.key,
            certificate_chain=self._pems.certificate,
        )
        return grpc.aio.secure_channel(self._address, credentials, options=self._options)

    def _now(self) -> grpc.aio.Channel:
        """With the newest certificate. Earlier ones go idle by themselves when their last call
        has ended; closing them would end it.
        """
        pems = self._newest()
        if pems is not self._pems:
            self._pems = pems
            self._earlier.append(self._channel)
            self._channel = self._open()
        return self._channel

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        """Close it, whatever its certificate."""
        channels = [*self._earlier, self._channel]
        await asyncio.gather(*(channel.close(grace) for channel in channels))

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Of the newest connection."""
        return self._now().get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Of the newest connection."""
        await self._now().wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """Wait until it is connected."""
        await self._now().channel_ready()

    def unary_unary(self, *what: Any, **how: Any) -> Any:
        """A method, as of any channel."""
        return self._method("unary_unary", what, how)

    def unary_stream(self, *what: Any, **how: Any) -> Any:
        """A method, as of any channel."""
        return self._method("unary_stream", what, how)

    def stream_unary(self, *what: Any, **how: Any) -> Any:
        """A method, as of any channel."""
        return self._method("stream_unary", what, how)

    def stream_stream(self, *what: Any, **how: Any) -> Any:
        """A method, as of any channel."""
        return self._method("stream_stream", what, how)

    def _method(self, kind: str, what: tuple[Any, ...], how: dict[str, Any]) -> Any:
        """Stubs keep their methods, so each call looks for the connection anew."""

        def call(*ask: Any, **more: Any) -> Any:
            return getattr(self._now(), kind)(*what, **how)(*ask, **more)

        return call
