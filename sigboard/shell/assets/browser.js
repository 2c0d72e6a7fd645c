// What the browser does by itself. Streamlit may insert this several times: it counts once.
if (!window.sigboard) {
  window.sigboard = true;

  // In the head of the document: a style in the page would go and come with every change of page. `sigboard app` has put it there.
  if (!document.getElementById("sigboard-style")) {
    document.head.append(Object.assign(document.createElement("style"), { textContent: window.sigboardStyle }));
  }
  requestAnimationFrame(() => requestAnimationFrame(() => (window.sigboardStyled = performance.now())));

  // After a change of page the focus is on its heading, unless the control that has it is still there.
  const heading = () => document.querySelector("h1");
  const land = (before) => {
    // looked at again and again: what takes the focus away, or lets the heading have it, need not change the document
    const since = performance.now();
    const watch = window.setInterval(() => {
      const head = heading(); // it may be the element of before with another text, and be replaced once more
      if (!head || document.activeElement !== document.body) return;
      // the new page may be there before its address is: then the heading of before has the same text
      if (head.innerText === before && performance.now() - since < 1500) return;
      head.tabIndex = -1;
      head.style.outline = "none";
      head.focus({ preventScroll: true });
    }, 50);
    const stop = () => window.clearInterval(watch);
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, stop, { capture: true, once: true });
    window.setTimeout(stop, 60000); // a busy server draws the page late
  };

  // Streamlit makes an entry in the history for every parameter that the server changes; only a page deserves one. Before it
  // leaves a page it takes the parameters of its widgets from its entry, so that Back would lose the pair: that change waits, and is dropped
  // if a page follows.
  const push = window.history.pushState.bind(window.history);
  let waiting = 0;
  window.history.pushState = (state, unused, url) => {
    const next = new URL(url, window.location.href);
    window.clearTimeout(waiting);
    if (next.pathname !== window.location.pathname) {
      land(heading()?.innerText);
      return push(state, unused, url);
    }
    const drops = [...new URLSearchParams(window.location.search).keys()].some((name) => !next.searchParams.has(name));
    const change = () => window.history.replaceState(state, unused, url);
    if (drops) waiting = window.setTimeout(change, 300);
    else change();
  };

  // What a key opens in the sidebar is at the end of the document: the focus goes there, and back on Escape.
  let opener = null;
  const enter = () => {
    const field = document.querySelector('[data-testid="stPopoverBody"] input');
    if (field) field.focus();
    return Boolean(field);
  };
  const KINDS = ["focus", "focusin"];
  const quietly = (event) => event.stopImmediatePropagation();
  const back = () => {
    opener.focus();
    KINDS.forEach((kind) => window.removeEventListener(kind, quietly, true));
  };
  document.addEventListener("keydown", (event) => {
    const button = event.target.closest('[data-testid="stPopover"] button');
    if (button && (event.key === "Enter" || event.key === " ")) {
      opener = button;
      const watch = new MutationObserver(() => enter() && watch.disconnect());
      watch.observe(document.body, { childList: true, subtree: true });
      window.setTimeout(() => watch.disconnect(), 2000);
    } else if (event.key === "Escape" && opener && event.target.closest('[data-testid="stPopoverBody"]')) {
      // the help of the button must not open with its focus: it would cover what is beside the button, and take clicks
      KINDS.forEach((kind) => window.addEventListener(kind, quietly, true));
      window.setTimeout(back, 0);
    }
  }, true); // before Streamlit, which gives the focus back itself

  // Streamlit's navigation is one list whose sections are no items of it; each section is a list of its own, with its name.
  const SECTIONS = '[data-testid="stSidebarNavItems"] > div:not([role])';
  const name = () => {
    for (const section of document.querySelectorAll(SECTIONS)) {
      section.parentElement.setAttribute("role", "none");
      section.setAttribute("role", "list");
      const head = section.querySelector('[data-testid="stNavSectionHeader"]');
      if (head) section.setAttribute("aria-label", head.innerText.split("\n")[0]);
    }
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  name();
}
