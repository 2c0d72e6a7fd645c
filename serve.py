"""What `sigboard app` starts: the app of app.py. Its first document has the style of the pages, so that nothing moves once
they are drawn. `streamlit run app.py` shows the same pages, whose style comes after their first frame."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.starlette import App

STYLE = files("sigboard") / "shell" / "assets" / "page.css"
END = b"</head>"
# The document is neither packed nor known to the browser: it changes with the style, but its file does not.
UNASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")


class Styled:
    """The app, with the style at the end of the head of each HTML document; other answers pass as they are."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._style = f"<style id='sigboard-style'>{STYLE.read_text(encoding='utf-8')}</style>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        head: list[Message] = []
        body = bytearray()

        async def styled(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_document(message):
                head.append(message)
            elif message["type"] != "http.response.body" or not head:
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    whole = bytes(body).replace(END, self._style + END, 1)
                    fields = MutableHeaders(raw=head[0]["headers"])
                    for name in ("content-length", "etag", "last-modified", "accept-ranges"):
                        del fields[name]
                    if scope["method"] != "HEAD":
                        fields["content-length"] = str(len(whole))
                    await send(head[0])
                    await send({"type": "http.response.body", "body": whole})

        asked = [pair for pair in scope["headers"] if pair[0] not in UNASKED]
        await self._app({**scope, "headers": asked}, receive, styled)


def _is_document(start: Message) -> bool:
    return start["status"] == 200 and "text/html" in Headers(raw=start["headers"]).get("content-type", "")


app = App(Path(__file__).with_name("app.py"), middleware=[Middleware(Styled)])
