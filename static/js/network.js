// Sends the requests of htmx with a time limit. Without an answer the page stays as it is, and a toast says so.
// A form that was refused only because its CSRF token was too old is sent once more with a new one.
/* global connectionSign, outbox, words */
/* exported network */
const network = (() => {
  const toast = () => document.getElementById("no-network");
  const NO_ANSWER = toast()?.textContent;

  const emptyResponse = () => new Response(null, { status: 204 });

  const hideToast = () => { if (toast()) toast().hidden = true; };

  // Show this text, or without one the sentence that there was no answer.
  const showToast = (text = NO_ANSWER) => {
    toast().textContent = text;
    toast().hidden = false;
  };

  // Return a button's label.
  const labelOf = (button) => (button?.ariaLabel || button?.innerText || "").replace(/\s+/g, " ").trim();

  // Say that the request never left this phone.
  const sayNotSent = (button) => {
    connectionSign.unanswered();
    showToast(words("not-done", labelOf(button)));
  };

  // Say that the server cannot write at the moment.
  const sayBusy = (button) => showToast(words("busy", labelOf(button)));

  // Say that there was no answer, and that it may have been done or not.
  const sayUnsure = (button) => showToast(words("unsure", labelOf(button)));

  // Set a new CSRF token in what is to be sent, and in all forms of the page. Null when the server does not answer.
  const renewToken = async (body) => {
    const phone = await outbox.fetchPhone();
    if (!phone) return null;
    body.set("csrfmiddlewaretoken", phone.token);
    for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = phone.token;
    return phone;
  };

  // Like fetch, but send once more with a new token what was refused because of an old one.
  const fetchWithToken = async (url, request) => {
    const response = await fetch(url, request);
    const again = response.headers.has("X-Stale-Token") && request.body && (await renewToken(request.body));
    return again ? fetch(url, request) : response;
  };

  // Return whether this is the server's own 429 page. It is shown, since a form has no outbox in which it could wait.
  const isTooManyRequests = (response) => response.status === 429 && response.headers.has("X-Scorekeeper");

  // Return the server's own answer. Throw if it does not come in time, or somebody else has answered.
  const fetchAnswer = async (url, request) => {
    const patience = setTimeout(() => request.abort?.("timeout"), outbox.TIMEOUT);
    try {
      const response = await fetchWithToken(url, request);
      const isNotDone = outbox.noteNotDone(response);
      if (!outbox.isFromServer(response) && !isTooManyRequests(response)) {
        throw Object.assign(new Error("no answer to be shown"), { isNotDone });
      }
      return response;
    } finally {
      clearTimeout(patience);
    }
  };

  // Return whether the server answers: asked only where it is doubtful. (On the server's own machine a browser may
  // report that it is offline.)
  const isReachable = async () =>
    (navigator.onLine && !connectionSign.isUnreachable()) || (await outbox.fetchPhone()) !== null;

  // Remove the preview of later hands: it belongs to an earlier tap.
  const clearPreview = () => {
    document.getElementById("forward")?.replaceChildren();
    return emptyResponse();
  };

  // Fetch the live count. A 403 or 404 is ignored: the form will show it when it is saved.
  const fetchCount = async (element, url, request) => {
    try {
      const response = await fetchAnswer(url, request);
      return [403, 404].includes(response.status) ? clearPreview() : response;
    } catch (error) {
      if (error?.name === "AbortError") throw error;
      element.textContent = element.dataset.offline;
      return clearPreview();
    }
  };

  const fetchAction = async (button, url, request) => {
    if (!(await isReachable())) {
      sayNotSent(button);
      return emptyResponse();
    }
    try {
      return await fetchAnswer(url, request);
    } catch (error) {
      // A later request has replaced this one.
      if (error?.name === "AbortError") throw error;
      if (error?.isNotDone) sayBusy(button);
      // A form with visible fields can be sent again without harm: it has a token.
      else if (button?.form?.querySelector("input:not([type=hidden])")) showToast();
      else sayUnsure(button);
      return emptyResponse();
    }
  };

  // Call `listener(ctx)` for each request of htmx. It may wrap `ctx.fetch`, which this file has set before.
  const onRequest = (listener) => {
    document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => listener(ctx));
  };

  onRequest((ctx) => {
    const { sourceElement, request: { submitter } } = ctx;
    const first = sourceElement.matches("button") ? sourceElement : sourceElement.querySelector?.("button");
    const button = submitter ?? first;
    ctx.fetch = (url, request) =>
      "offline" in sourceElement.dataset ? fetchCount(sourceElement, url, request) : fetchAction(button, url, request);
  });
  document.addEventListener("htmx:error", () => showToast());
  // The live count does not hide the toast.
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!("offline" in ctx.sourceElement.dataset)) hideToast();
  });
  // The next tap hides it.
  document.addEventListener("click", hideToast);

  return { fetchWithToken, renewToken, onRequest, hideToast, showToast, sayNotSent, sayBusy, sayUnsure };
})();
