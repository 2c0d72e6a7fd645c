"""A visitor without a browser: speaks to a server as Streamlit's page does, and reads what it draws."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import pyarrow
import pyarrow.ipc
import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

from tests import waiting

ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
P_SHOWN = re.compile(r"\bp = ([0-9.]+)")


class Visitor:
    """One open page. `drawn` holds the last run's elements by kind, `clicks` what each action was and the seconds that it
    took; the visitor `thinks` about so many seconds before each, more or less by chance (`seed`)."""

    def __init__(self, url: str, settings: str = "", thinks: float = 0.0, seed: int = 0) -> None:
        self._url, self._settings, self._thinks = url, settings, thinks
        self._chance = random.Random(seed)
        host = urlsplit(url).netloc
        self._stack = ExitStack()
        line = connect(f"ws://{host}/_stcore/stream", origin=url, max_size=None, open_timeout=waiting.LIMIT)  # type: ignore[arg-type]
        self._line = self._stack.enter_context(line)
        self._state: dict[str, WidgetState] = {}
        self._pages: dict[str, str] = {}
        self._page, self._session = "", ""
        # the parts of the page that the browser runs again by itself, each after so many seconds
        self._watched: dict[str, float] = {}
        self.drawn: dict[str, list[object]] = {}
        self.clicks: list[tuple[str, float]] = []

    def __enter__(self) -> Visitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def open(self, page: str = "") -> None:
        """Open a page by its path, as a click in the menu does."""
        self._page = self._pages.get(page, "")
        self._click("page" if self._session else "arrival")

    def choose(self, label: str, option: str) -> None:
        """Choose an option in the box of that label."""
        box = next(each for each in self.drawn["selectbox"] if each.label == label)  # type: ignore[attr-defined]
        self._state[box.id] = WidgetState(id=box.id, string_value=option)  # type: ignore[attr-defined]
        self._click(label)

    def press(self, label: str) -> None:
        """Press a button."""
        button = next(each for each in self.drawn["button"] if label in each.label)  # type: ignore[attr-defined]
        self._click(label, WidgetState(id=button.id, trigger_value=True))  # type: ignore[attr-defined]

    def drop(self, files: Mapping[str, bytes]) -> None:
        """Drop files on the page, and wait for their grid: `clicks` has the time to the first one, and to the settled one."""
        self._think()
        begun = time.perf_counter()
        zone = self.drawn["file_uploader"][0]
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.session_id = self._session
        asked.file_urls_request.file_names.extend(files)
        self._line.send(asked.SerializeToString())
        while True:
            message = self._receive()
            if message.HasField("file_urls_response"):
                break
        state = WidgetState(id=zone.id)  # type: ignore[attr-defined]
        with requests.Session() as http:
            http.get(f"{self._url}/_stcore/health", timeout=waiting.LIMIT)
            token = http.cookies.get("_streamlit_xsrf", "")
            for urls, (name, content) in zip(message.file_urls_response.file_urls, files.items(), strict=True):
                answer = http.put(
                    f"{self._url}{urls.upload_url}",
                    files={"file": (name, content)},
                    headers={"X-Xsrftoken": token},
                    timeout=waiting.LIMIT,
                )
                answer.raise_for_status()
                info = state.file_uploader_state_value.uploaded_file_info.add()
                info.file_id, info.name, info.size = urls.file_id, name, len(content)
                info.file_urls.CopyFrom(urls)
        self._run(state)
        systems = {name.rpartition(".")[0] for name in files}
        self._await("first grid", begun, lambda: any(line["name"] in systems for line in self._rows()))
        self._await("settled", begun, lambda: "progress" not in self.drawn)

    def _rows(self) -> list[dict[str, Any]]:
        """The rows of the grid that is drawn, of a sample or of own files; none without one."""
        return [line for grid in self._grids() for line in grid["rows"]]

    def _grids(self) -> list[dict[str, Any]]:
        parts = self.drawn.get("bidi_component", ())
        return [json.loads(part.json) for part in parts if part.component_name == "sigboard_grid"]  # type: ignore[attr-defined]

    def _await(self, kind: str, begun: float, shown: Callable[[], bool]) -> None:
        """Wait until this is shown; the seconds since the beginning are noted."""
        waiting.until(shown, f"the {kind} is shown", self._look)
        self.clicks.append((kind, time.perf_counter() - begun))

    def settle(self) -> None:
        """Wait until no job is shown."""
        waiting.until(lambda: "progress" not in self.drawn, "the job is done", self._look)

    @property
    def address(self) -> str:
        """The settings in the address."""
        return self._settings

    def shows(self, words: str) -> bool:
        """Whether these words are on the page."""
        texts = [str(each) for elements in self.drawn.values() for each in elements]
        return any(words in text for text in texts)

    def numbers(self) -> dict[str, str]:
        """The scores and p that the grid of the page shows, by system and by pair, and the score of its table in full."""
        found: dict[str, str] = {}
        for grid in self._grids():
            for row, line in enumerate(grid["rows"]):
                found[line["name"]] = line["score"]
                for column, cell in zip(grid["columns"], line["cells"], strict=True):
                    if column != grid["columns"][row]:
                        found[f"{line['name']} - {column}"] = P_SHOWN.findall(cell["details"])[0]
        for part in self.drawn.get("arrow_data_frame", self.drawn.get("dataframe", ())):
            data = getattr(part, "arrow_data", part).data
            rows = pyarrow.ipc.open_stream(data).read_all().to_pylist()
            found |= {
                f"{row['system']} in full": repr(row["score"]) for row in rows if {"system", "score"} <= row.keys()
            }
        return found

    def _click(self, kind: str, once: WidgetState | None = None) -> None:
        self._think()
        begun = time.perf_counter()
        self._run(once)
        self.clicks.append((kind, time.perf_counter() - begun))

    def _think(self) -> None:
        time.sleep(self._thinks * self._chance.uniform(0.2, 1.8))

    def _look(self) -> None:
        """What a browser does by itself: run the parts again that watch a job. The page as a whole runs when one of them asks
        for it, so a visitor who waits costs a server what a real one does."""
        assert self._watched, "nothing on the page would ever change it"
        watched = dict(self._watched)
        time.sleep(min(watched.values()))
        for part in watched:
            if part in self._watched:  # until the whole page has run
                self._run(part=part)

    def _run(self, once: WidgetState | None = None, part: str = "") -> None:
        """Run the page, or a part of it, with what has been chosen, and what is pressed `once`."""
        asked = BackMsg()
        asked.rerun_script.fragment_id, asked.rerun_script.is_auto_rerun = part, bool(part)
        asked.rerun_script.query_string = self._settings
        asked.rerun_script.page_script_hash = self._page
        asked.rerun_script.widget_states.widgets.extend(self._state.values())
        if once is not None:
            asked.rerun_script.widget_states.widgets.append(once)
        self._line.send(asked.SerializeToString())
        while not self._is_end(self._receive()):
            pass

    def _is_end(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self.drawn, self._watched = {}, {}
            self._session = message.new_session.initialize.session_id or self._session
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":
            self._settings = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            name = element.WhichOneof("type")
            self.drawn.setdefault(name, []).append(getattr(element, name))
        elif kind == "auto_rerun":
            self._watched[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for part in message.stop_auto_rerun.fragment_ids:
                self._watched.pop(part, None)
        return kind == "script_finished" and message.script_finished in ENDS

    def _receive(self) -> ForwardMsg:
        content = self._line.recv(timeout=waiting.LIMIT)
        assert isinstance(content, bytes)
        return ForwardMsg.FromString(content)
