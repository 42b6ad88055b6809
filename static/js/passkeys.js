// Makes a passkey, or signs in by one: it fetches the options, lets the browser ask its user, and posts the answer.
// Where the browser knows no passkeys, it says so instead.
/* global network, outbox */
{
  const parse = {
    create: (options) => window.PublicKeyCredential.parseCreationOptionsFromJSON(options),
    get: (options) => window.PublicKeyCredential.parseRequestOptionsFromJSON(options),
  };
  const isAble = () => isSecureContext && Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);

  const tokenOf = (form) => form.elements.csrfmiddlewaretoken.value;

  // Return the server's JSON. Throw its reason, or that there was no answer.
  const ask = async (url, request) => {
    const answer = await network.fetchWithToken(url, {
      method: "POST",
      cache: "no-store",
      signal: AbortSignal.timeout(outbox.TIMEOUT),
      ...request,
    }).catch(() => null);
    const said = await answer?.json().catch(() => null);
    if (!answer?.ok || !said) throw Object.assign(new Error("refused"), { said: said?.why, what: "unsure" });
    return said;
  };

  const askUser = async (way, options) => {
    try {
      return await navigator.credentials[way]({ publicKey: parse[way](options) });
    } catch (error) {
      throw Object.assign(new Error("cancelled"), { what: error.name === "InvalidStateError" ? "known" : "cancelled" });
    }
  };

  const hold = async (form) => {
    const { passkey: way, options: url } = form.dataset;
    const options = await ask(url, { body: new URLSearchParams({ csrfmiddlewaretoken: tokenOf(form) }) });
    const credential = await askUser(way, options);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": tokenOf(form) };
    const { next } = await ask(form.getAttribute("action"), { headers, body: JSON.stringify(credential) });
    location.assign(next);
  };

  const say = (form, { said, what }) => {
    const place = form.querySelector(".said");
    place.textContent = said ?? place.dataset[what] ?? place.dataset.unsure;
  };

  const onSubmit = async (event) => {
    const { target: form } = event;
    const button = form.querySelector("button");
    event.preventDefault();
    if (button.hasAttribute("aria-busy")) return;
    form.querySelector(".said").textContent = "";
    button.setAttribute("aria-busy", "true");
    await hold(form).catch((error) => {
      button.removeAttribute("aria-busy");
      say(form, error);
    });
  };

  const initialise = () => {
    for (const form of document.querySelectorAll("[data-passkey]")) {
      form.hidden = false;
      form.addEventListener("submit", onSubmit);
      if (isAble()) continue;
      form.querySelector("button").hidden = true;
      say(form, { what: "unable" });
    }
  };

  initialise();
  document.addEventListener("page:shown", initialise);
}
