// Sends plain forms by fetch, so that the page stays as it is, and says so, when the server does not answer.
// Without scripts the browser sends the same forms itself.
/* global network, outbox, pages */
{
  const underWay = new WeakSet();

  // Forms that htmx sends are handled by network.js.
  const isOurs = (form, button) =>
    form.method === "post" && !form.matches("[hx-post]") && !button?.matches("[hx-post]") && !form.target;

  // Say that nobody knows whether it was done. A live part of the page will show it; another page is reloaded once the
  // server answers again, unless the user has typed something into the form.
  const reportUnsure = (form, button) => {
    network.sayUnsure(button);
    const isLive = document.querySelector("[data-live]") || form.querySelector("input:not([type=hidden])");
    if (!isLive) document.addEventListener("server:answered", () => location.reload(), { once: true });
  };

  // True if this page is left. A fresh token is fetched first: where that fails, the form was certainly not sent.
  const send = async (form, button) => {
    const body = new URLSearchParams(new FormData(form, button));
    const url = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
    if (!(await network.renewToken(body))) return network.sayNotSent(button);
    try {
      const options = { method: "POST", body, cache: "no-store", headers: { "X-Act": "1" } };
      const response = await fetch(url, { ...options, signal: AbortSignal.timeout(outbox.TIMEOUT) });
      if (outbox.noteNotDone(response)) return network.sayBusy(button);
      if (!response.headers.has("X-Scorekeeper") || response.status === 503) return reportUnsure(form, button);
      return showAnswer(form, response, await response.text());
    } catch {
      return reportUnsure(form, button);
    }
  };

  // Go where the server redirects, or show the page in which it refuses.
  const showAnswer = (form, response, text) => {
    const next = response.headers.get("X-Location");
    if (next) return pages.follow(next, form);
    pages.show(text, { href: location.href });
    return false;
  };

  window.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const button = submitter ?? form.querySelector("button");
    if (event.defaultPrevented || !isOurs(form, submitter)) return;
    event.preventDefault();
    if (underWay.has(form)) return;
    underWay.add(form);
    network.hideToast();
    button?.setAttribute("aria-busy", "true");
    // While another page is loading, the button stays busy.
    if (!(await send(form, submitter))) {
      underWay.delete(form);
      button?.removeAttribute("aria-busy");
    }
  });
  // The browser may show the page again from its back/forward cache.
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) underWay.delete(form);
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });
}
