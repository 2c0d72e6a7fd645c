"""The style of the pages is in the first document, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from serve import STYLE, Styled

PAGE = "<html><head><title>x</title></head><body></head></body></html>"


def answered(
    body: str, kind: str, accept: str = "text/html", method: str = "GET", status: int = 200
) -> tuple[Any, ...]:
    """(request as the app saw it, headers of the answer, its text) of an app that answers in two parts."""
    seen: list[Any] = []
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(dict(scope["headers"]))
        fields = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body)), (b"etag", b"one")]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": body[:20].encode(), "more_body": True})
        await send({"type": "http.response.body", "body": body[20:].encode()})

    async def send(message: Any) -> None:
        sent.append(message)

    given = [
        (b"accept", accept.encode()),
        (b"accept-encoding", b"gzip"),
        (b"if-none-match", b"one"),
        (b"host", b"here"),
    ]
    scope = {"type": "http", "method": method, "headers": given}
    answering = Styled(app)(scope, None, send)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):  # nothing waits here, so no loop of events is needed
        answering.send(None)
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return seen[0], dict(sent[0]["headers"]), text


def test_a_document_has_the_style_at_the_end_of_its_head() -> None:
    """Once, before the first </head>; its length is right, and no browser takes it for the document of another version."""
    seen, fields, text = answered(PAGE, "text/html; charset=utf-8")
    style = STYLE.read_text(encoding="utf-8")
    assert text == PAGE.replace("</head>", f"<style id='sigboard-style'>{style}</style></head>", 1)
    assert fields[b"content-length"] == b"%d" % len(text.encode())
    assert b"etag" not in fields
    assert set(seen) == {b"accept", b"host"}


@pytest.mark.parametrize(
    ("kind", "accept", "status"),
    [("text/javascript", "text/html", 200), ("text/html", "*/*", 200), ("text/html", "text/html", 404)],
)
def test_other_answers_pass_as_they_are(kind: str, accept: str, status: int) -> None:
    """Scripts, what was not asked for as a document, and errors."""
    _, fields, text = answered(PAGE, kind, accept, status=status)
    assert text == PAGE
    assert fields[b"etag"] == b"one"


def test_the_style_is_no_end_of_itself() -> None:
    """Nothing in the style ends the element that holds it."""
    assert "</" not in STYLE.read_text(encoding="utf-8")
