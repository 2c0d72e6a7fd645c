// Keeps the secret of this browser's owner, so that a reload or another tab still owns what was loaded here.
export default function ({ data, setStateValue }) {
  let own = data.offer;
  try {
    own = window.localStorage.getItem("sigboard.owner") || data.offer;
    window.localStorage.setItem("sigboard.owner", own);
  } catch {
    // without storage a reload is another visitor
  }
  if (own !== data.offer) setStateValue("owner", own);
}
