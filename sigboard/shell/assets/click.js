// Tells which cell of a large grid was clicked: Plotly's own selection knows points only, not the cells of a heatmap.
export default function ({ data, setTriggerValue }) {
  let plot = null;
  const clicked = (event) => {
    const { x, y } = event.points[0]; // ranks from 0 on
    if (x !== y) setTriggerValue("cell", [y, x]);
  };
  const follow = () => {
    // a run of the page may replace the figure, which loads after this script
    const found = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    // what was taken away has no listeners any more
    if (found === plot || !found?.on) return;
    plot?.removeListener?.("plotly_click", clicked);
    plot = found;
    plot.on("plotly_click", clicked);
    plot.dataset.clicks = data.chart; // it answers from now on
  };
  const watch = setInterval(follow, 250);
  return () => {
    clearInterval(watch);
    plot?.removeListener?.("plotly_click", clicked);
  };
}
