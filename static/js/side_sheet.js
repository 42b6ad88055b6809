// On a large screen: loads the keys (keys.js), and shows the sheet beside the hand form: the evening's own live part,
// which live_updates.js renews. It is only seen: a link in it would leave the form.
/* global outbox */
{
  const LARGE = matchMedia("(min-width: 900px) and (min-height: 501px)");
  const MOUSE = matchMedia("(hover: hover) and (pointer: fine)");
  let isLoading = false;
  let hasKeys = false;

  const place = () => document.querySelector(".beside > [inert]");

  const load = async () => {
    const form = document.getElementById("hand-form");
    if (!LARGE.matches || !form?.dataset.sheet || !place() || place().firstElementChild || isLoading) return;
    isLoading = true;
    try {
      const response = await fetch(form.dataset.sheet, { signal: AbortSignal.timeout(outbox.TIMEOUT) });
      if (!outbox.isFromServer(response) || !response.ok) return;
      const state = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("state");
      // The page may be another one by now.
      if (!state || !place()) return;
      place().replaceChildren(state);
    } catch {
      // Without network the form is complete without the sheet.
    } finally {
      isLoading = false;
    }
  };

  // A phone has no use for the keys.
  const loadKeys = () => {
    const src = document.body.dataset.keys;
    if (!src || hasKeys || !LARGE.matches || !MOUSE.matches) return;
    hasKeys = true;
    document.head.append(Object.assign(document.createElement("script"), { src }));
  };

  LARGE.addEventListener("change", load);
  LARGE.addEventListener("change", loadKeys);
  document.addEventListener("page:shown", loadKeys);
  document.addEventListener("DOMContentLoaded", loadKeys);
  window.addEventListener("online", load);
  document.addEventListener("page:shown", load);
  document.addEventListener("DOMContentLoaded", load);
}
