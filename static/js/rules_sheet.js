// Opens the page of rules as a dialog over the hand form, which keeps what is filled in. The dialog is an entry of the
// history: it is closed by its button, by Escape, or by going back. Without scripts the link opens a new tab.
{
  const PATIENCE = 8000;
  const kept = new Map();  // the rules that this page has fetched, by address
  let gone;  // resolves when the history has left the entry of a closed dialog
  const sheet = () => document.getElementById("rules-sheet");
  const isOpen = () => Boolean(sheet()?.open);

  const read = async (href) => {
    if (!kept.has(href)) {
      const response = await fetch(href, { signal: AbortSignal.timeout(PATIENCE) });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const rules = page.getElementById("rules");
      if (!response.ok || !rules) throw new Error("these are no rules");
      // Links open a new tab, so that the form is not left.
      for (const link of rules.querySelectorAll("a[href]")) link.target = "_blank";
      kept.set(href, rules);
    }
    return kept.get(href);
  };

  const noAnswerSentence = () => {
    const { textContent } = document.getElementById("no-network");
    return Object.assign(document.createElement("p"), { className: "rules error", textContent });
  };

  const open = async (href) => {
    const rules = await read(href).catch(noAnswerSentence);
    await gone;
    if (isOpen() || !sheet()) return;
    sheet().querySelector(".rules-place").replaceChildren(rules);
    sheet().showModal();
    sheet().scrollTop = 0;
    history.pushState({ ...history.state, rules: true }, "");
  };

  // Leave the entry of the history, however the dialog was closed.
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
