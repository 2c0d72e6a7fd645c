// Draws the visible segments: texts with the words that differ, one row below the other. Every text is literal.
const TAGS = { match: "span", own: "mark", insertion: "ins", deletion: "del" };

const made = (name, text, kind) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text; // never markup: texts are anybody's
  if (kind) element.className = kind;
  return element;
};

// the blanks before a piece are outside of it, so that no line is drawn below them
const pieces = (place, parts) => {
  for (const [kind, text] of parts) {
    const bare = text.trimStart();
    place.append(text.slice(0, text.length - bare.length));
    place.append(kind === "match" ? bare : made(TAGS[kind], bare));
  }
};

const SVG = "http://www.w3.org/2000/svg";
// a tree or a matrix of links: courses, cells and literal words
const drawing = ({ box, shapes }) => {
  const drawn = document.createElementNS(SVG, "svg");
  const set = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
  set(drawn, { viewBox: `0 0 ${box.join(" ")}`, width: box[0], height: box[1], "aria-hidden": "true" });
  for (const [name, kind, text, x, y, width, height] of shapes) {
    const part = drawn.appendChild(document.createElementNS(SVG, name));
    if (name === "path") set(part, { class: kind, d: text });
    else if (name === "rect") set(part, { class: kind, x, y, width, height });
    else {
      set(part, { class: kind, x, y });
      part.textContent = text;
    }
  }
  return drawn;
};

const rowOf = (row, down) => {
  const item = made("li");
  item.dataset.row = down;
  item.tabIndex = down === 0 ? 0 : -1;
  const head = item.appendChild(made("div", undefined, "head"));
  head.append(made("b", row.number), made("span", row.influence), made("span", row.facts, "small"));
  const list = item.appendChild(made("dl"));
  for (const [name, content, kind] of row.texts) {
    list.append(made("dt", name));
    const text = list.appendChild(made("dd", undefined, kind));
    text.dir = "auto";
    if (typeof content === "string") text.textContent = content;
    else if (kind === "drawing") text.append(drawing(content));
    else pieces(text, content);
  }
  return item;
};

const keyOf = (data) => {
  const key = made("p", undefined, "key");
  for (const [kind, words] of data.key) key.append(made(TAGS[kind], words));
  return key;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector("#rows");
  for (const name of ["accent", "warm", "muted"]) place.style.setProperty(`--${name}`, data[name]);
  const held = place.getRootNode().activeElement?.dataset?.row; // a run of the page must not take the focus away
  const list = made("ol");
  list.setAttribute("aria-label", data.alt);
  list.append(...data.rows.map(rowOf));
  place.replaceChildren(...(data.key.length ? [keyOf(data)] : []), list);
  for (const wide of place.querySelectorAll(".drawing")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0; // so that keys can move it
  }
  const rows = [...list.children];
  const go = (row) => {
    rows.forEach((other) => (other.tabIndex = -1));
    row.tabIndex = 0;
    row.focus();
  };
  const turn = (by, from) => {
    place.dataset.next = from;
    setTriggerValue("turn", by);
  };
  const keydown = (event) => {
    const item = event.target.closest?.("[data-row]");
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = Number(item.dataset.row);
    const steps = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: rows.length - 1 };
    if (event.key === "PageDown" && data.after) turn(1, "first");
    else if (event.key === "PageUp" && data.before) turn(-1, "first");
    else if (!(event.key in steps)) return;
    else if (steps[event.key] < 0) data.before && turn(-1, "last");
    else if (steps[event.key] >= rows.length) data.after && turn(1, "first");
    else go(rows[steps[event.key]]);
    event.preventDefault();
  };
  place.addEventListener("keydown", keydown);
  if (rows.length && place.dataset.next && place.dataset.shown !== String(data.first)) {
    go(place.dataset.next === "last" ? rows[rows.length - 1] : rows[0]); // the rows that a key asked for
    delete place.dataset.next;
  } else if (held !== undefined && rows[held]) go(rows[held]);
  place.dataset.shown = data.first;
  return () => place.removeEventListener("keydown", keydown);
}
