// A request that got no answer says so, and the page stays as it is: nothing typed is lost. A form whose token was only
// too old is sent once more with a new one.
/* global connectionSign, outbox, words */
/* exported network */
const network = (() => {
  const toast = () => document.getElementById("no-network");
  const unanswered = toast()?.textContent;

  const nothing = () => new Response(null, { status: 204 });

  const hush = () => { if (toast()) toast().hidden = true; };

  const say = (text) => {
    toast().textContent = text;
    toast().hidden = false;
  };

  // What a button does, as it calls itself.
  const named = (button) => (button?.ariaLabel || button?.innerText || "").replace(/\s+/g, " ").trim();

  // It never left this phone.
  const notDone = (button) => {
    connectionSign.silent();
    say(words("not-done", named(button)));
  };

  // The server has it, and says that it cannot write just now.
  const refused = (button) => say(words("busy", named(button)));

  // It was sent, and nobody knows what became of it.
  const unsure = (button) => say(words("unsure", named(button)));

  // A new token for what is to be sent, and for all forms of the page. Null when the server does not answer.
  const renew = async (body) => {
    const phone = await outbox.whoAmI();
    if (!phone) return null;
    body.set("csrfmiddlewaretoken", phone.token);
    for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = phone.token;
    return phone;
  };

  // As fetch; what was refused only because its token was old goes again with a new one.
  const ask = async (url, request) => {
    const response = await fetch(url, request);
    const again = response.headers.has("X-Stale-Token") && request.body && (await renew(request.body));
    return again ? fetch(url, request) : response;
  };

  // The server itself asks to come back later, in the form or the page that it was sent: a hand would wait by itself.
  const isLater = (response) => response.status === 429 && response.headers.has("X-Scorekeeper");

  // With the outbox's patience, an answer of the server's own.
  const answered = async (url, request) => {
    const patience = setTimeout(() => request.abort?.("timeout"), outbox.PATIENCE);
    try {
      const response = await ask(url, request);
      const isNotDone = outbox.heed(response);
      if (!outbox.isAnswer(response) && !isLater(response)) {
        throw Object.assign(new Error("no answer to be shown"), { isNotDone });
      }
      return response;
    } finally {
      clearTimeout(patience);
    }
  };

  // Whether the server answers at all: asked only where there is a doubt. (A browser may think itself offline on the
  // very machine that the server runs on.)
  const reachable = async () => (navigator.onLine && !connectionSign.isSilent()) || (await outbox.whoAmI()) !== null;

  // What was counted of an earlier tap and stands elsewhere: it is not said of a later one.
  const uncounted = () => {
    document.getElementById("forward")?.replaceChildren();
    return nothing();
  };

  // What only counts along does not show a whole page that turns this phone away: the form will, when it is saved.
  const count = async (element, url, request) => {
    try {
      const response = await answered(url, request);
      return [403, 404].includes(response.status) ? uncounted() : response;
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      element.textContent = element.dataset.offline;
      return uncounted();
    }
  };

  const act = async (button, url, request) => {
    if (!(await reachable())) {
      notDone(button);
      return nothing();
    }
    try {
      return await answered(url, request);
    } catch (error) {
      // Another request has taken this one's place.
      if (error?.name === "AbortError") throw error;
      if (error?.isNotDone) refused(button);
      // What was typed can be sent again without harm: its form knows by a token that it was.
      else if (button?.form?.querySelector("input:not([type=hidden])")) say(unanswered);
      else unsure(button);
      return nothing();
    }
  };

  // Call `listener(ctx)` for each request of htmx, after this file has set its own `ctx.fetch`: it may wrap that.
  const onRequest = (listener) => {
    document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => listener(ctx));
  };

  onRequest((ctx) => {
    const { sourceElement, request: { submitter } } = ctx;
    const first = sourceElement.matches("button") ? sourceElement : sourceElement.querySelector?.("button");
    const button = submitter ?? first;
    ctx.fetch = (url, request) =>
      "offline" in sourceElement.dataset ? count(sourceElement, url, request) : act(button, url, request);
  });
  document.addEventListener("htmx:error", () => say(unanswered));
  // What only counts along takes nothing back that was said.
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!("offline" in ctx.sourceElement.dataset)) hush();
  });
  // It lies over the page, until the next tap.
  document.addEventListener("click", hush);

  return { ask, renew, onRequest, hush, notDone, refused, unsure };
})();
