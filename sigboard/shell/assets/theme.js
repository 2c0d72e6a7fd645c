// Reports a change of the page's background (between light and dark), and whether the screen is narrow.
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const mark = parentElement.querySelector("i");
  const changed = () => setTriggerValue("changed", getComputedStyle(mark).backgroundColor);
  mark.addEventListener("transitionend", changed);

  const screen = window.matchMedia(`(max-width: ${data.narrow}px)`);
  const resized = () => setStateValue("narrow", screen.matches);
  if (screen.matches !== data.known) resized();
  screen.addEventListener("change", resized);
  return () => {
    mark.removeEventListener("transitionend", changed);
    screen.removeEventListener("change", resized);
  };
}
