// Shows the details of the point under the pointer of a chart, as lines of text.
export default function ({ data, parentElement }) {
  const lines = parentElement.querySelector("#lines");
  const show = (text) => {
    const rows = text.split("<br>").map((line) => {
      const row = document.createElement("div");
      // parsed apart from the page, and used as text only: names cannot bring markup
      row.textContent = new DOMParser().parseFromString(line, "text/html").body.textContent;
      return row;
    });
    lines.replaceChildren(...rows);
  };
  if (!lines.childElementCount) show(data.invitation);

  const hovered = (event) => {
    const point = event.points && event.points[0];
    const text = point && (point.hovertext || (point.customdata && point.customdata[2]));
    if (typeof text !== "string") return;
    show(text);
    lines.classList.add("found");
  };
  // the grid of all pairs is not one of Plotly's charts
  const told = (event) => {
    if (event.detail.chart !== data.chart) return;
    show(event.detail.details);
    lines.classList.add("found");
  };
  document.addEventListener("sigboard:details", told);
  const listening = new Set();
  const listen = () => {
    for (const plot of document.querySelectorAll(`.st-key-${data.chart} .js-plotly-plot`)) {
      if (plot.on && !listening.has(plot)) {
        plot.on("plotly_hover", hovered);
        listening.add(plot);
      }
    }
  };
  listen();
  // the chart may be drawn after this, and again
  const watch = new MutationObserver(listen);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    watch.disconnect();
    document.removeEventListener("sigboard:details", told);
    for (const plot of listening) plot.removeListener && plot.removeListener("plotly_hover", hovered);
  };
}
