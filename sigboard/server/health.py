"""Whether a server of this machine shows its first page: `python -m sigboard.server.health [PORT [NAME]]`, as Docker asks.

A page needs a WebSocket, which the server opens only under its own names: a server that answers requests alone may show
nobody anything. The exit code is 0 where the page is drawn without an error.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

SECONDS = 20.0


def settings() -> tuple[str, str]:
    """The port and the first name of a server that is started in this environment."""
    names = os.environ.get("STREAMLIT_SERVER_ALLOWED_HOSTS", "localhost").split()
    return os.environ.get("STREAMLIT_SERVER_PORT", "8501"), next(
        (each for each in names if "*" not in each), "localhost"
    )


def check(port: int, host: str, seconds: float = SECONDS) -> None:
    """Draw the first page of the server at this port, as a browser does that knows it by the name `host`.

    Raises: OSError where the server does not answer in time, or not under this name, or where the page shows an error.
    """
    asked = f"{host}:{port}"
    try:
        line = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        origin = Origin(f"http://{asked}")
        with connect(
            f"ws://{asked}/_stcore/stream", sock=line, origin=origin, open_timeout=seconds, max_size=None
        ) as page:
            run = BackMsg()
            run.rerun_script.SetInParent()
            page.send(run.SerializeToString())
            message = ForwardMsg()
            while message.WhichOneof("type") != "script_finished":
                content = page.recv(timeout=seconds)
                message = ForwardMsg.FromString(content if isinstance(content, bytes) else content.encode())
                _look(message)
    except WebSocketException as error:
        raise OSError(f"no page under the name {host}: {error}") from error


def _look(message: ForwardMsg) -> None:
    element = message.delta.new_element
    if element.WhichOneof("type") == "exception" or (
        element.HasField("alert") and element.alert.format == element.alert.ERROR
    ):
        raise OSError(f"the first page shows an error: {element.alert.body or element.exception.message}")
    if message.WhichOneof("type") == "script_finished" and message.script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
        raise OSError("the first page was not finished")


def main(arguments: Sequence[str]) -> int:
    """0 if the server is well, 1 with a line that says why it is not."""
    port, host = (*arguments, *settings()[len(arguments) :])
    try:
        check(int(port), host)
    except OSError as error:
        print(f"unwell: {error}", file=sys.stderr)
        return 1
    print(f"well: the first page is drawn under the name {host}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
