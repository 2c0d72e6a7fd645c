// Keeps the secret of this tab's owner in the tab, so that a reload still owns what it has loaded.
export default function ({ data, setStateValue }) {
  let own = data.offer;
  try {
    own = window.sessionStorage.getItem("sigboard.owner") || data.offer;
    window.sessionStorage.setItem("sigboard.owner", own);
  } catch {
    // without storage a reload is another visitor
  }
  if (own !== data.offer) setStateValue("owner", own);
}
