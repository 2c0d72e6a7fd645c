// Draws the grid of all pairs: a table whose cells answer to the pointer, the keyboard and a click.
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const made = (name, text, kind) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text; // never markup: names are anybody's
  if (kind) element.className = kind;
  return element;
};

// the details as the lines that the panel shows
const plain = (details) => new DOMParser().parseFromString(details.replaceAll("<br>", "; "), "text/html").body.textContent;

const keyOf = (data) => {
  const key = made("div", undefined, "key");
  for (const field of data.key) {
    const one = key.appendChild(made("div"));
    one.appendChild(made("i")).style.backgroundColor = field.back;
    for (const line of field.lines) one.appendChild(made("span", line));
  }
  return key;
};

const cellOf = (cell, row, column) => {
  const box = made("td");
  for (const line of (cell.words || "").split("<br>")) box.appendChild(made("div", line));
  box.dataset.cell = `${row},${column}`;
  box.dataset.details = cell.details;
  box.setAttribute("aria-label", plain(cell.details));
  box.tabIndex = row === 0 && column === 1 ? 0 : -1;
  if (cell.back) [box.style.backgroundColor, box.style.color] = [cell.back, cell.ink];
  if (cell.hatched) box.classList.add("hatched");
  if (cell.pair) box.classList.add("pair");
  return box;
};

const tableOf = (data) => {
  const table = made("table");
  const lines = new Set(data.lines);
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", data.alt);
  const head = table.createTHead().insertRow();
  head.appendChild(made("td"));
  for (const name of data.columns) head.appendChild(made("th", name)).scope = "col";
  const body = table.createTBody();
  data.rows.forEach((row, down) => {
    const line = body.insertRow();
    const label = line.appendChild(made("th", row.name));
    label.scope = "row";
    if (row.score) label.appendChild(made("span", row.score));
    row.cells.forEach((cell, across) => {
      const box = line.appendChild(cellOf(cell, down, across));
      if (lines.has(down + 1)) box.classList.add("below");
      if (lines.has(across + 1)) box.classList.add("beside");
    });
  });
  return table;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector("#grid");
  place.style.setProperty("--cell", `${data.height}px`);
  place.style.setProperty("--size", `${data.size}px`);
  place.style.setProperty("--ink", data.ink);
  place.style.setProperty("--muted", data.muted);
  place.style.setProperty("--share", `${100 / Math.max(data.rows.length, 1)}%`);
  const focused = place.getRootNode().activeElement?.dataset?.cell; // a run of the page must not take the focus away
  place.replaceChildren(made("p", data.heading), keyOf(data), tableOf(data));
  const cellAt = (at) => place.querySelector(`[data-cell="${at}"]`);
  const tell = (box) => {
    const detail = { chart: data.chart, details: box.dataset.details };
    document.dispatchEvent(new CustomEvent("sigboard:details", { detail }));
  };
  const go = (box) => {
    place.querySelectorAll('[tabindex="0"]').forEach((other) => (other.tabIndex = -1));
    box.tabIndex = 0;
    box.focus();
  };
  const open = (box) => {
    const [row, column] = box.dataset.cell.split(",").map(Number);
    const pair = data.rows[row].cells[column].pair;
    if (pair) setTriggerValue("cell", pair);
  };
  const boxOf = (event) => event.target.closest?.("[data-cell]");
  const handlers = {
    pointerover: (event) => boxOf(event) && tell(boxOf(event)),
    focusin: (event) => boxOf(event) && tell(boxOf(event)),
    click: (event) => boxOf(event) && open(boxOf(event)),
    keydown: (event) => {
      const box = boxOf(event);
      if (!box) return;
      if (event.key === "Enter" || event.key === " ") open(box);
      else if (event.key in STEPS) {
        const next = cellAt(box.dataset.cell.split(",").map((at, k) => Number(at) + STEPS[event.key][k]));
        if (next) go(next);
      } else return;
      event.preventDefault();
    },
  };
  for (const [name, handle] of Object.entries(handlers)) place.addEventListener(name, handle);
  if (focused && cellAt(focused)) go(cellAt(focused));
  return () => {
    for (const [name, handle] of Object.entries(handlers)) place.removeEventListener(name, handle);
  };
}
