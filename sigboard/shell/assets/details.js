// Shows the details of the cell of a grid that has the pointer or the focus, as lines of text.
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

  const told = (event) => {
    if (event.detail.chart !== data.chart) return;
    show(event.detail.details);
    lines.classList.add("found");
  };
  document.addEventListener("sigboard:details", told);
  return () => document.removeEventListener("sigboard:details", told);
}
