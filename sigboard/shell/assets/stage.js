// The stage of a lesson: every press draws new resamples in this browser; what they count is shown once it is revealed.
const SVG = "http://www.w3.org/2000/svg";
const COLUMNS = 20; // of p
const MOST_COUNT = 30; // the last column of counts holds this many and more
const LINES = 100; // intervals that are drawn at once
const LISTED = 12; // units that are named in a sentence
const CELLS = 240; // units that are drawn as squares
const FRAME = 30; // ms of computing between two pictures
// what was drawn stays while the page is open, whatever the server draws again
const MEMORY = (window.sigboardStages ??= new Map());

const element = (name, kind, text) => {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text; // never markup: names are anybody's
  return made;
};
const drawn = (name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const whole = (number) => number.toLocaleString("en-US");
const signed = (value, decimals) => {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : (value < 0 ? "\u2212" : "+") + text;
};
const pText = (p) => (p >= 1 ? "1" : p.toFixed(p < 0.001 ? 4 : 3));
const percent = (part, of) => `${((100 * part) / of).toFixed(1)}%`;
// round steps of an axis
const stepOf = (span, parts) => {
  const rough = span / parts, power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((step) => step * power >= rough);
};

class Stage {
  constructor(place, data, tellServer) {
    Object.assign(this, { place, tellServer, picked: null, waiting: false });
    this.build(data);
    this.watch = new ResizeObserver(() => this.paint());
    this.panels.forEach((panel) => this.watch.observe(panel.svg));
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  leave() {
    this.gone = true;
    this.watch.disconnect();
    document.removeEventListener("keydown", this.keys);
  }

  get memory() {
    const { token, seed, sliders = [] } = this.data;
    if (!MEMORY.has(token)) {
      const settings = Object.fromEntries(sliders.map(({ name, value }) => [name, value]));
      MEMORY.set(token, { seed, draws: [], wanted: 0, revealed: false, guess: "", settings, tails: [true, true], cut: null, shifted: false });
    }
    return MEMORY.get(token);
  }

  // on a projector and on a phone the charts need the room
  get showsSteps() {
    return this.memory.steps ?? !(this.data.present || matchMedia("(max-width: 640px)").matches);
  }

  // ---- the parts of the page

  build(data) {
    this.data = data;
    const root = element("section", "sb-stage");
    root.dataset.stage = data.word;
    root.setAttribute("aria-label", data.alt);
    this.root = root;
    this.say = root.appendChild(element("div", "sb-say"));
    this.said = ["sb-first", "sb-second"].map((kind) => this.say.appendChild(element("p", kind)));
    this.say.setAttribute("aria-live", "polite");
    this.cells = [];
    if (data.shows) {
      const units = root.appendChild(element("div", "sb-units"));
      units.setAttribute("aria-hidden", "true");
      for (let i = 0; i < Math.min(data.n, CELLS); i++) this.cells.push(units.appendChild(element("i")));
    }
    const row = root.appendChild(element("div", "sb-panels"));
    this.panels = data.panels.map((panel, at) => this.buildPanel(row, panel, at));
    this.verdict = root.appendChild(element("p", "sb-verdict"));
    this.verdict.setAttribute("aria-live", "polite");
    this.buildControls(root.appendChild(element("div", "sb-controls")));
    this.buildTable(root);
    this.place.replaceChildren(root);
    this.update(data);
  }

  buildPanel(row, panel, at) {
    const box = row.appendChild(element("div", "sb-panel"));
    if (panel.title) box.appendChild(element("h4", "", panel.title));
    if (panel.steps) {
      const list = box.appendChild(element("ol", "sb-steps"));
      for (const step of panel.steps) list.appendChild(element("li", "", step));
    }
    const svg = box.appendChild(drawn("svg", { role: "group", "aria-label": panel.alt }));
    const told = box.appendChild(element("p", "sb-told"));
    const show = (event) => {
      const dot = this.dotAt(event, at);
      if (dot) this.pick(dot, at);
    };
    svg.addEventListener("pointermove", show);
    svg.addEventListener("pointerdown", show);
    svg.addEventListener("focusin", (event) => {
      const k = Number(event.target.dataset?.draw);
      if (k) this.pick(k, at);
    });
    return { svg, told, dots: [] };
  }

  buildControls(row) {
    const { data } = this;
    this.presses = data.presses.map((many) => {
      const button = row.appendChild(element("button", "", many === 1 ? `1 ${data.one}` : whole(many)));
      button.type = "button";
      button.title = many === 1 ? `Draw 1 ${data.one}` : `Draw ${whole(many)} ${data.many}`;
      button.addEventListener("click", () => this.press(many));
      return button;
    });
    if (data.shift !== undefined) {
      this.shift = row.appendChild(element("button", "", "Shift"));
      this.shift.type = "button";
      this.shift.addEventListener("click", () => this.change({ shifted: !this.memory.shifted }));
    }
    if (data.panels.some(({ steps }) => steps)) {
      this.steps = row.appendChild(element("button", "", "Steps"));
      this.steps.type = "button";
      this.steps.addEventListener("click", () => this.change({ steps: !this.showsSteps }));
    }
    const guess = row.appendChild(element("label", "sb-guess", data.guess));
    this.guess = guess.appendChild(element("input"));
    Object.assign(this.guess, { type: "number", min: 0, max: data.of, inputMode: "numeric", value: this.memory.guess });
    this.guess.addEventListener("input", () => (this.memory.guess = this.guess.value));
    guess.append(` of ${whole(data.of)}`);
    this.open = row.appendChild(element("button", "sb-main", "Reveal"));
    this.open.type = "button";
    this.open.addEventListener("click", () => this.reveal());
    this.again = row.appendChild(element("button", "sb-quiet", "Start again"));
    this.again.type = "button";
    this.again.title = "Take everything away and use the next seed";
    this.again.addEventListener("click", () => this.restart());
    this.buildTails(row);
    this.buildSliders(row);
  }

  // which tails count, and slow motion
  buildTails(row) {
    const box = (words, held, changed) => {
      const label = row.appendChild(element("label", "sb-tick"));
      const tick = label.appendChild(element("input"));
      Object.assign(tick, { type: "checkbox", checked: held });
      tick.addEventListener("change", () => changed(tick.checked));
      label.append(words);
      return label;
    };
    this.ticks = !this.data.tails ? [] : ["left tail", "right tail"].map((words, side) =>
      box(words, this.memory.tails[side], (checked) => {
        const tails = [...this.memory.tails];
        tails[side] = checked;
        this.change({ tails });
      }),
    );
    if (this.cells.length) box("slow motion", Boolean(this.memory.slow), (slow) => this.change({ slow }));
  }

  buildSliders(row) {
    for (const { name, words, low, high, step, value, end = "" } of this.data.sliders ?? []) {
      const label = row.appendChild(element("label", "sb-slider"));
      const text = label.appendChild(element("span"));
      const input = label.appendChild(element("input"));
      Object.assign(input, { type: "range", min: low, max: high, step });
      input.value = this.memory.settings[name] ?? value;
      const say = () => (text.textContent = `${words} ${input.value}${end}`);
      input.addEventListener("input", say);
      input.addEventListener("change", () => {
        const settings = { ...this.memory.settings, [name]: Number(input.value) };
        // what a level counts is read from the same draws; anything else needs new ones
        this.change(name === "alpha" ? { settings } : { settings, draws: [], wanted: 0, revealed: false });
        this.tell();
      });
      say();
    }
  }

  buildTable(root) {
    const fold = root.appendChild(element("details", "sb-table"));
    fold.appendChild(element("summary", "", "Table of the draws"));
    this.table = fold.appendChild(element("div"));
    fold.addEventListener("toggle", () => this.list());
    this.fold = fold;
  }

  // ---- what a press does

  update(data) {
    this.data = data;
    const { settings } = this.memory;
    this.draw = sigboardDraws.KINDS[data.kind](data, settings);
    this.root.classList.toggle("sb-present", data.present);
    this.root.classList.toggle("sb-below", Boolean(data.below));
    for (const [name, colour] of Object.entries(data.colours)) this.root.style.setProperty(`--sb-${name}`, colour);
    this.paint();
    if (data.revealed !== this.memory.revealed) this.tell();
  }

  change(what) {
    Object.assign(this.memory, what);
    this.draw = sigboardDraws.KINDS[this.data.kind](this.data, this.memory.settings);
    this.picked = null;
    this.paint();
  }

  // the server shows the numbers in words once they are revealed
  tell() {
    this.tellServer.state("revealed", this.memory.revealed ? this.data.token : "");
  }

  press(many) {
    const { memory } = this;
    memory.wanted = Math.min(this.data.most, memory.wanted + many);
    this.picked = null;
    if (memory.wanted > memory.draws.length) this.step(performance.now());
    if (!this.waiting) this.go();
    else this.paint();
  }

  step(start) {
    const { memory, data } = this;
    memory.draws.push(this.draw(memory.seed, memory.draws.length + 1));
    return performance.now() - start < FRAME && memory.draws.length < memory.wanted && !data.slow;
  }

  go() {
    const { memory } = this;
    this.waiting = memory.draws.length < memory.wanted;
    this.root.setAttribute("aria-busy", String(this.waiting));
    this.paint();
    if (!this.waiting) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const most = calm ? Infinity : Math.max(1, Math.ceil((memory.wanted - memory.draws.length) / 30));
    requestAnimationFrame(() => {
      if (this.gone) return;
      const start = performance.now();
      let more = memory.draws.length < memory.wanted;
      for (let i = 0; more && i < most; i++) more = this.step(start);
      this.go();
    });
  }

  reveal() {
    this.change({ revealed: true, shifted: true });
    this.tell();
  }

  restart() {
    const { memory } = this;
    Object.assign(memory, { draws: [], wanted: 0, revealed: false, seed: memory.seed + 1, guess: "", cut: null, shifted: false });
    this.guess.value = "";
    this.picked = null;
    this.paint();
    this.tell();
  }

  // arrows, and the keys of a remote, go through the lesson
  key(event) {
    const ahead = ["ArrowRight", "PageDown"].includes(event.key), back = ["ArrowLeft", "PageUp"].includes(event.key);
    const at = event.composedPath()[0];
    const own = at.closest?.("input, textarea, select, summary, [contenteditable], [role=slider], [role=radiogroup]");
    if (!(ahead || back) || own || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (at.dataset?.draw && !event.key.startsWith("Page")) return this.walk(at, ahead ? 1 : -1, event);
    if (!this.data.present && !this.root.contains(at)) return;
    event.preventDefault();
    const { memory } = this, many = memory.draws.length;
    if (back) return many ? this.restart() : this.tellServer.trigger("go", -1);
    if (memory.revealed) return this.tellServer.trigger("go", 1);
    const next = this.data.presses.find((press, i) => many < (i ? this.data.presses[i - 1] * (i === 1 ? 3 : 1) + press : 3));
    if (next === undefined || memory.wanted >= this.data.most) this.reveal();
    else this.press(next);
  }

  // ---- single draws

  walk(at, by, event) {
    event.preventDefault();
    const panel = this.panels.find(({ svg }) => svg.contains(at));
    const order = panel.dots.map((dot, i) => [Number(dot.getAttribute("data-value")), i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const next = order[order.findIndex(([, i]) => panel.dots[i] === at) + by];
    if (next) panel.dots[next[1]].focus();
  }

  dotAt(event, at) {
    const box = this.panels[at].svg.getBoundingClientRect(), { dots } = this.panels[at];
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null, least = 14 ** 2; // px around a finger or a pointer
    for (const dot of dots) {
      const dx = Math.max(dot.x0 - x, 0, x - dot.x1), dy = Math.max(dot.y0 - y, 0, y - dot.y1);
      if (dx * dx + dy * dy < least) [best, least] = [dot, dx * dx + dy * dy];
    }
    return best && Number(best.dataset.draw);
  }

  pick(k, at) {
    if (this.picked?.k === k && this.picked.at === at) return;
    this.picked = { k, at };
    this.panels.forEach((panel) => panel.dots.forEach((dot) => dot.classList.toggle("sb-picked", Number(dot.dataset.draw) === k)));
    this.tellDraw();
  }

  // what one draw is, in a sentence
  sentence(k, at = 0) {
    const { data, memory } = this, draw = memory.draws[k - 1];
    if (!draw) return "";
    const name = `${data.one} ${whole(k)}`, panel = data.panels[at];
    const begin = name[0].toUpperCase() + name.slice(1);
    if (panel.kind === "p") return `${begin}: ${data.gain ? `gain ${signed(draw.gain, data.decimals)}, ` : ""}${data.panels.map((one, i) => `p ${pText(draw.values[i])}${one.short ? ` ${one.short}` : ""}`).join(", ")}`;
    if (panel.kind === "count") return `${begin}: ${data.panels.map((one, i) => `${draw.values[i]} ${one.short}`).join(", ")}`;
    if (panel.kind === "course") return `${begin}: ${panel.names.map((words, i) => `${words} ${draw.values[i].toFixed(data.decimals)}`).join(", ")}`;
    if (panel.kind === "interval") return `${begin}: gain ${signed(draw.gain, data.decimals)}, 95% interval ${draw.ends.map((end) => signed(end, data.decimals)).join(" to ")}`;
    const scores = draw.scores ? ` ${draw.scores.map((score) => score.toFixed(data.decimals)).join(" and ")},` : "";
    return `${begin}:${scores} gain ${signed(draw.values[at], data.decimals)}${this.units(draw)}`;
  }

  units({ weights }) {
    if (!weights) return "";
    const { data } = this, changed = [];
    weights.forEach((times, i) => (data.kind === "bootstrap" ? !times : times) && changed.push(i + 1));
    const named = changed.slice(0, LISTED).join(", "), rest = changed.length - LISTED;
    const which = changed.length ? `: ${named}${rest > 0 ? ` and ${whole(rest)} more` : ""}` : "";
    const words = data.kind === "bootstrap" ? "were not drawn" : "changed places";
    return `. ${whole(changed.length)} of ${whole(data.n)} units ${words}${which}`;
  }

  tellDraw() {
    const { data, memory } = this, last = memory.draws.length, k = this.picked?.k ?? last;
    this.said[0].textContent = data.ordered ? data.heads : `${data.heads} Seed ${memory.seed}.`;
    this.said[1].textContent = k ? this.sentence(k, this.picked?.at) : data.invitation;
    this.root.dataset.told = k || "";
    const weights = k ? memory.draws[k - 1].weights : null, slow = memory.slow && k === last && !this.picked;
    this.cells.forEach((cell, i) => {
      const times = weights ? weights[i] : data.kind === "bootstrap" ? 1 : 0;
      cell.className = `sb-${data.kind === "bootstrap" ? "t" : "c"}${Math.min(times, 4)}`;
      cell.style.transitionDelay = slow ? `${(i * 1500) / this.cells.length}ms` : "";
    });
  }

  // ---- counting, only after the reveal

  isTail(draw, at) {
    const { data, memory } = this, panel = data.panels[at], value = draw.values[at];
    if (panel.kind === "p") return value <= (memory.settings.alpha ?? data.alpha);
    if (panel.kind === "count") return value > 0;
    if (panel.kind === "interval") return !draw.holds;
    if (panel.kind === "course") return false;
    const unit = data.unit;
    if (panel.loses) return panel.loses > 0 ? !(value > sigboardDraws.slack(0, unit)) : !(value < -sigboardDraws.slack(0, unit));
    const moved = value - (panel.centre ?? 0), cut = memory.cut ?? panel.cut;
    const [left, right] = data.tails ? memory.tails : [true, true];
    return (left && sigboardDraws.reaches(-moved, cut, unit)) || (right && sigboardDraws.reaches(moved, cut, unit));
  }

  count(at) {
    return this.memory.draws.reduce((sum, draw) => sum + this.isTail(draw, at), 0);
  }

  counted(at) {
    const { data, memory } = this, panel = data.panels[at], many = memory.draws.length, count = this.count(at);
    const of = `${whole(count)} of ${whole(many)}`;
    if (panel.kind !== "gain") return `${of} ${panel.counted.replace("ALPHA", memory.settings.alpha ?? data.alpha)} (${percent(count, many)})`;
    if (memory.cut !== null && !panel.loses) return `${of} reach ${signed(memory.cut, data.decimals).slice(1)}, the line that you moved (${percent(count, many)})`;
    const p = Math.min(1, (panel.loses ? 2 : 1) * sigboardDraws.pOf(count, many));
    const sum = `(${whole(count)} + 1) / (${whole(many)} + 1)`;
    return `${of} ${panel.counted}: p = ${panel.loses ? "2 × " : ""}${sum} = ${pText(p)}`;
  }

  // ---- the picture

  paint() {
    const { data, memory, root } = this, many = memory.draws.length;
    root.dataset.draws = many;
    root.dataset.gain = many ? memory.draws[many - 1].gain : "";
    root.dataset.revealed = String(memory.revealed);
    root.dataset.seed = memory.seed;
    this.presses.forEach((button) => (button.disabled = memory.wanted >= data.most));
    if (this.shift) this.shift.setAttribute("aria-pressed", String(memory.shifted));
    this.root.classList.toggle("sb-nosteps", !this.showsSteps);
    this.steps?.setAttribute("aria-pressed", String(this.showsSteps));
    this.ticks.forEach((tick) => (tick.hidden = !memory.revealed));
    this.tellDraw();
    this.panels.forEach((panel, at) => this.paintPanel(panel, at));
    this.verdict.textContent = this.conclusion();
    if (this.fold.open) this.list();
  }

  conclusion() {
    const { data, memory } = this, many = memory.draws.length, several = data.panels.length > 1;
    if (!memory.revealed) return many ? "Guess a number, and press Reveal." : "";
    if (!many) return `Nothing is drawn yet. Press 1 ${data.one}.`;
    if (data.panels[0].kind === "course") return data.summary;
    const said = memory.guess === "" ? "" : ` You guessed ${memory.guess} of ${whole(data.of)}. Here it is ${whole(Math.round((data.of * this.count(0)) / many))} of ${whole(data.of)}.`;
    return several ? `${data.summary ?? ""}${said}`.trim() : `${this.counted(0)}.${said}`;
  }

  places(at, width) {
    const { data, memory } = this, panel = data.panels[at];
    if (panel.kind === "p") return { low: 0, high: 1, bins: COLUMNS, of: (v) => Math.max(0, Math.ceil(Number((v * COLUMNS).toFixed(9))) - 1) };
    if (panel.kind === "course") return { low: 0, high: Math.max(10, memory.draws.length) };
    if (panel.kind === "count") return { low: -0.5, high: MOST_COUNT + 0.5, bins: MOST_COUNT + 1, of: (v) => Math.min(v, MOST_COUNT) };
    let reach = panel.reach;
    const centre = panel.kind === "interval" ? panel.around : 0;
    for (const draw of memory.draws) for (const value of panel.kind === "interval" ? draw.ends : [draw.values[at]]) {
      if (Number.isFinite(value)) reach = Math.max(reach, 1.02 * Math.abs(value - centre));
    }
    // the observed gain and its mirror are edges of columns, so that no column is on both sides of a line
    const usual = reach / Math.max(12, Math.min(45, Math.round(width / 18))), edge = panel.cut || reach;
    const wide = edge / Math.max(1, Math.round(edge / usual)), half = Math.ceil(reach / wide - 1e-9);
    const of = (v) => {
      const steps = (v - centre) / wide, k = steps < 0 ? -1 - Math.floor(1e-9 - steps) : Math.floor(steps + 1e-9);
      return Math.max(0, Math.min(2 * half - 1, half + k));
    };
    return { low: centre - half * wide, high: centre + half * wide, bins: 2 * half, of };
  }

  paintPanel(panel, at) {
    const { svg } = panel, { data, memory } = this, box = svg.getBoundingClientRect();
    const spec = data.panels[at];
    panel.told.textContent = data.panels.length > 1 && memory.revealed && memory.draws.length ? this.counted(at) : "";
    if (!(box.width > 40 && box.height > 40)) return;
    const font = parseFloat(getComputedStyle(svg).fontSize);
    const frame = { left: 6, right: box.width - 6, top: 2.5 * font, bottom: box.height - 2.9 * font, font };
    const scale = this.places(at, frame.right - frame.left);
    const x = (value) => frame.left + ((value - scale.low) / (scale.high - scale.low)) * (frame.right - frame.left);
    const back = drawn("g", {}), front = drawn("g", {});
    this.paintAxis(back, scale, x, frame, spec);
    if (spec.kind === "course") panel.dots = this.paintCourse(back, x, frame, panel.dots);
    else if (spec.kind === "interval") panel.dots = this.paintIntervals(x, frame, panel.dots);
    else panel.dots = this.paintBlocks(at, scale, x, frame, panel.dots);
    this.paintLines(front, at, x, frame);
    const dots = drawn("g", { class: "sb-dots" });
    panel.dots.forEach((dot, i) => dot.setAttribute("tabindex", i === panel.dots.length - 1 ? 0 : -1));
    const held = svg.contains(document.activeElement) ? Number(document.activeElement.dataset.draw) : 0;
    dots.append(...panel.dots);
    svg.replaceChildren(back, dots, front);
    if (held) panel.dots.find((dot) => Number(dot.dataset.draw) === held)?.focus();
  }

  paintAxis(group, { low, high }, x, { left, right, bottom, font }, { kind, axis }) {
    group.append(drawn("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "sb-axis" }));
    const step = kind === "p" ? (right - left < 300 ? 0.25 : 0.1) : stepOf(high - low, Math.max(2, Math.floor((right - left) / (6 * font))));
    for (let k = Math.ceil(low / step); k * step <= high + 1e-9; k++) {
      const value = k * step, text = ["p", "count", "course"].includes(kind) ? String(Number(value.toFixed(2))) : signed(value, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
      const anchor = x(value) < left + 2 * font ? "start" : x(value) > right - 2 * font ? "end" : "middle";
      group.append(drawn("text", { x: anchor === "start" ? left : anchor === "end" ? right : x(value), y: bottom + 1.15 * font, "text-anchor": anchor, class: "sb-muted" }, text));
    }
    group.append(drawn("text", { x: (left + right) / 2, y: bottom + 2.4 * font, "text-anchor": "middle", class: "sb-muted" }, axis));
  }

  block(k, value, old) {
    const dot = old ?? drawn("rect", { class: "sb-dot" });
    dot.dataset.draw = k;
    dot.setAttribute("data-value", value);
    return dot;
  }

  paintBlocks(at, scale, x, { top, bottom, left }, old) {
    const { memory, data } = this, heights = new Int32Array(scale.bins), spec = data.panels[at];
    const lift = memory.shifted && spec.centre ? -spec.centre : 0, width = (x(scale.high) - left) / scale.bins;
    const spots = memory.draws.map((draw) => scale.of(Number.isFinite(draw.values[at]) ? draw.values[at] + (spec.kind === "gain" ? lift : 0) : scale.high));
    spots.forEach((bin) => heights[bin]++);
    const tall = Math.min(width, (bottom - top) / Math.max(1, ...heights));
    heights.fill(0);
    return memory.draws.map((draw, i) => {
      const fresh = !old[i], dot = this.block(i + 1, draw.values[at], old[i]), bin = spots[i];
      const gap = tall > 3 ? 0.12 * tall : 0;
      [dot.x0, dot.y0] = [left + bin * width, bottom - ++heights[bin] * tall];
      [dot.x1, dot.y1] = [dot.x0 + width, dot.y0 + tall];
      for (const [name, size] of [["x", dot.x0 + 0.05 * width], ["y", dot.y0 + gap], ["width", 0.9 * width], ["height", Math.max(0.5, tall - gap)]]) dot.setAttribute(name, size);
      const kinds = ["sb-dot", memory.revealed && this.isTail(draw, at) && "sb-tail", this.picked?.k === i + 1 && "sb-picked"];
      if (fresh && i >= memory.draws.length - 10) kinds.push(memory.slow ? "sb-slow" : "sb-new");
      dot.setAttribute("class", kinds.filter(Boolean).join(" "));
      if (i > memory.draws.length - 50 || this.picked?.k === i + 1) dot.setAttribute("aria-label", this.sentence(i + 1, at));
      return dot;
    });
  }

  paintIntervals(x, { top, bottom }, old) {
    const { memory } = this, first = Math.max(0, memory.draws.length - LINES);
    const shown = memory.draws.slice(first), high = (bottom - top) / Math.max(25, shown.length);
    return shown.map((draw, i) => {
      const dot = this.block(first + i + 1, draw.gain, old[i]), y = top + (i + 0.5) * high;
      [dot.x0, dot.x1, dot.y0, dot.y1] = [x(draw.ends[0]), x(draw.ends[1]), y - high / 2, y + high / 2];
      const thick = Math.max(1.5, 0.5 * high);
      for (const [name, size] of [["x", dot.x0], ["y", y - thick / 2], ["width", Math.max(1, dot.x1 - dot.x0)], ["height", thick]]) dot.setAttribute(name, size);
      dot.setAttribute("class", ["sb-dot", memory.revealed && !draw.holds && "sb-miss", this.picked?.k === first + i + 1 && "sb-picked"].filter(Boolean).join(" "));
      dot.setAttribute("aria-label", this.sentence(first + i + 1));
      return dot;
    });
  }

  // solid: the metric of all units so far; dotted: the mean of their own scores
  paintCourse(group, x, { top, bottom, left, font }, old) {
    const { memory, data } = this, { draws } = memory;
    const every = draws.flatMap(({ values }) => values.filter(Number.isFinite));
    const [low, high] = every.length ? [Math.min(...every.slice(0, 1e5)), Math.max(...every.slice(0, 1e5))] : [0, 1];
    const y = (value) => bottom - 4 - ((value - low) / (high - low || 1)) * (bottom - top - 8);
    for (const line of [0, 1, 2, 3]) {
      const points = draws.map(({ values }, i) => (Number.isFinite(values[line]) ? `${x(i + 1)},${y(values[line])}` : "")).join(" ");
      group.append(drawn("polyline", { points, class: `sb-line sb-line${line % 2}${line > 1 ? " sb-dotted" : ""}` }));
    }
    for (const [value, place] of every.length ? [[high, top + font], [low, bottom - 0.4 * font]] : []) group.append(drawn("text", { x: left, y: place, class: "sb-muted" }, value.toFixed(data.decimals)));
    const step = Math.ceil(draws.length / 300) || 1;
    return draws.flatMap((draw, i) => (i % step ? [] : [[draw, i]])).map(([draw, i], at) => {
      const dot = this.block(i + 1, i, old[at]), [a, b] = [x(i + 1), y(draw.values[0])];
      [dot.x0, dot.x1, dot.y0, dot.y1] = [a - 3, a + 3, b - 3, b + 3];
      for (const [name, size] of [["x", a - 3], ["y", b - 3], ["width", 6], ["height", 6]]) dot.setAttribute(name, size);
      dot.setAttribute("class", this.picked?.k === i + 1 ? "sb-dot sb-picked" : "sb-dot sb-clear");
      dot.setAttribute("aria-label", this.sentence(i + 1));
      return dot;
    });
  }

  // the cut-offs; of the pile of gains the line can be moved once it is revealed
  paintLines(group, at, x, { top, bottom, font, left, right }) {
    const { data, memory } = this, spec = data.panels[at];
    const alpha = memory.settings.alpha ?? data.alpha;
    const lines = spec.kind === "p" ? [{ at: alpha, words: `alpha ${alpha}` }] : spec.kind === "interval" && !memory.revealed ? [] : spec.lines ?? [];
    const labels = [];
    lines.forEach((line) => {
      const moved = memory.cut !== null && line.side ? line.side * memory.cut : line.at, place = x(moved);
      const mark = drawn("line", { x1: place, x2: place, y1: top, y2: bottom, class: line.solid ? "sb-cut" : "sb-cut sb-dashed" });
      group.append(mark);
      const words = memory.cut !== null && line.side ? `moved to ${signed(moved, data.decimals)}` : line.words;
      const wide = 0.56 * font * words.length, right_side = moved >= 0 ? place + 4 + wide < right : place - 4 - wide < left;
      const ends = right_side ? [place + 4, place + 4 + wide] : [place - 4 - wide, place - 4];
      const meets = labels.some(([start, end]) => start < ends[1] + 6 && end + 6 > ends[0]);
      labels.push(ends);
      group.append(drawn("text", { x: right_side ? ends[0] : ends[1], y: top - (meets ? 0.2 : 1.3) * font, "text-anchor": right_side ? "start" : "end", class: "sb-label" }, words));
      if (line.side && memory.revealed && data.tails) this.handle(group, line, place, { top, bottom, left, right, x });
    });
  }

  handle(group, line, place, { top, bottom, left, right, x }) {
    const { memory, data } = this, panel = data.panels[0];
    const grip = drawn("rect", { x: place - 8, y: top, width: 16, height: bottom - top, class: "sb-grip", tabindex: 0, role: "slider", "aria-label": `cut-off on the ${line.side > 0 ? "right" : "left"}` });
    const size = memory.cut ?? panel.cut;
    grip.setAttribute("aria-valuenow", (line.side * size).toFixed(data.decimals));
    const move = (cut) => this.change({ cut: Math.abs(cut - panel.cut) < panel.reach / 200 ? null : Math.max(0, Math.min(panel.reach, cut)) });
    grip.addEventListener("pointerdown", (down) => {
      down.preventDefault();
      down.stopPropagation();
      const { left: start } = this.panels[0].svg.getBoundingClientRect(), low = (x(1) - x(0));
      const drag = (event) => move(line.side * ((event.clientX - start - x(0)) / low));
      const stop = () => {
        window.removeEventListener("pointermove", drag);
        window.removeEventListener("pointerup", stop);
      };
      window.addEventListener("pointermove", drag);
      window.addEventListener("pointerup", stop);
    });
    grip.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(size + (by * line.side * panel.reach) / 50);
      this.panels[0].svg.querySelectorAll(".sb-grip")[line.side > 0 ? 0 : 1]?.focus();
    });
    group.append(grip);
  }

  list() {
    const { data, memory } = this, table = element("table");
    if (!this.fold.open) return this.table.replaceChildren();
    const head = table.createTHead().insertRow();
    for (const words of ["draw", "what was drawn", ...(memory.revealed ? ["counts"] : [])]) head.appendChild(element("th", "", words)).scope = "col";
    const body = table.createTBody();
    const first = Math.max(0, memory.draws.length - 1000);
    memory.draws.slice(first).forEach((draw, i) => {
      const row = body.insertRow();
      row.insertCell().textContent = first + i + 1;
      row.insertCell().textContent = this.sentence(first + i + 1);
      if (memory.revealed) row.insertCell().textContent = data.panels.map((_, at) => (this.isTail(draw, at) ? "yes" : "no")).join(", ");
    });
    this.table.replaceChildren(...(first ? [element("p", "", "The last 1,000 draws.")] : []), table);
  }
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const place = parentElement.querySelector(".sb-place"), tellServer = { state: setStateValue, trigger: setTriggerValue };
  const known = place.sigboardStage;
  if (known && !known.gone && known.data.token === data.token) {
    known.tellServer = tellServer;
    known.update(data);
  } else {
    known?.leave();
    place.sigboardStage = new Stage(place, data, tellServer);
  }
  return () => {
    // a run of the page calls this, too: the stage ends once its place has left the page
    requestAnimationFrame(() => place.isConnected || place.sigboardStage?.leave());
  };
}
