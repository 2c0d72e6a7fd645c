// Reports a change of the page's background: the browser or the visitor changed between light and dark.
export default function ({ parentElement, setTriggerValue }) {
  const mark = parentElement.querySelector("i");
  const changed = () => setTriggerValue("changed", getComputedStyle(mark).backgroundColor);
  mark.addEventListener("transitionend", changed);
  return () => mark.removeEventListener("transitionend", changed);
}
