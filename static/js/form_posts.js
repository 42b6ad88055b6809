// Every plain form: what it does is done by the server or not at all, so without the server's own answer the page stays
// as it is and says so. The server is asked first whether it is there: what it was not sent has certainly not been
// done. Without scripts the browser sends the same form by itself.
/* global network, outbox, pages */
{
  const underWay = new WeakSet();

  // Of a form that htmx sends, network.js takes care.
  const isOurs = (form, button) =>
    form.method === "post" && !form.matches("[hx-post]") && !button?.matches("[hx-post]") && !form.target;

  // Whether it was done the server knows: a part that is live shows it by itself, another page is loaded again. Not
  // under the hands of who has typed something.
  const unsure = (form, button) => {
    network.unsure(button);
    const isLive = document.querySelector("[data-live]") || form.querySelector("input:not([type=hidden])");
    if (!isLive) document.addEventListener("server:heard", () => location.reload(), { once: true });
  };

  const send = async (form, button) => {
    const body = new URLSearchParams(new FormData(form, button));
    const url = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
    if (!(await network.renew(body))) return network.notDone(button);
    try {
      const options = { method: "POST", body, cache: "no-store", headers: { "X-Act": "1" } };
      const response = await fetch(url, { ...options, signal: AbortSignal.timeout(outbox.PATIENCE) });
      if (outbox.heed(response)) return network.refused(button);
      if (!response.headers.has("X-Scorekeeper") || response.status === 503) return unsure(form, button);
      return answer(response, await response.text());
    } catch {
      return unsure(form, button);
    }
  };

  // On to where the server leads, or the page in which it says why not.
  const answer = (response, text) => {
    const next = response.headers.get("X-Location");
    if (next) location.assign(next);
    else pages.show(text, { href: location.href });
    return next;
  };

  window.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const button = submitter ?? form.querySelector("button");
    if (event.defaultPrevented || !isOurs(form, submitter)) return;
    event.preventDefault();
    if (underWay.has(form)) return;
    underWay.add(form);
    network.hush();
    button?.setAttribute("aria-busy", "true");
    // Who is led on to another page does not tap here again.
    if (!(await send(form, submitter))) {
      underWay.delete(form);
      button?.removeAttribute("aria-busy");
    }
  });
  // A page may be shown again as it was left.
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) underWay.delete(form);
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });
}
