// The rules over a form that is half filled in: a link with data-rules opens its page as a sheet over this one, and the
// form stays as it is beneath. The way back is the button, the key, or the browser's own: the sheet is an entry of the
// history. Without scripts the link opens a page of its own beside this one.
{
  const PATIENCE = 8000;
  const kept = new Map();  // what was read once on this page, by address
  let gone;  // when the entry of a sheet that was closed has left the history
  const sheet = () => document.getElementById("rules-sheet");
  const isOpen = () => Boolean(sheet()?.open);

  const read = async (href) => {
    if (!kept.has(href)) {
      const response = await fetch(href, { signal: AbortSignal.timeout(PATIENCE) });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const rules = page.getElementById("rules");
      if (!response.ok || !rules) throw new Error("these are no rules");
      // Who follows a link from here comes back to the form as it was.
      for (const link of rules.querySelectorAll("a[href]")) link.target = "_blank";
      kept.set(href, rules);
    }
    return kept.get(href);
  };

  const noAnswer = () => {
    const { textContent } = document.getElementById("no-network");
    return Object.assign(document.createElement("p"), { className: "rules error", textContent });
  };

  const open = async (href) => {
    const rules = await read(href).catch(noAnswer);
    await gone;
    if (isOpen() || !sheet()) return;
    sheet().querySelector(".rules-place").replaceChildren(rules);
    sheet().showModal();
    sheet().scrollTop = 0;
    history.pushState({ ...history.state, rules: true }, "");
  };

  // However it was closed, its entry of the history goes with it.
  document.addEventListener("close", ({ target }) => {
    if (target !== sheet() || !history.state?.rules) return;
    gone = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    history.back();
  }, true);
  window.addEventListener("popstate", () => { if (isOpen()) sheet().close(); });

  document.addEventListener("click", (event) => {
    const { target } = event;
    if (target.closest("[data-close-rules]")) return sheet().close();
    const link = target.closest("a[data-rules]");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || !sheet()?.showModal) return undefined;
    event.preventDefault();
    return open(link.href);
  });
}
