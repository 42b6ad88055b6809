// Saving a hand by its form. The hand is in the outbox before it is sent, and leaves it when the server has recorded
// it. When the server refuses it, it stays there with the reason, though the form is given back filled in; without an
// answer it stays there, waiting, and the form is made ready in its place for the next hand.
/* global entryWords, formBar, network, outbox, provisional, refusalReason, words */
{
  // Where randomUUID() is withheld (plain http), the same from what is given.
  const uuid = () => crypto.randomUUID?.() ??
    "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
      (+digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+digit / 4)))).toString(16));

  // The buttons that answer what the server asked of a hand: which of two readings, and whether it is another one.
  const ANSWERS = ["take", "mine", "another"];

  const theForm = () => document.querySelector("#hand-form[data-live]");
  const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked:enabled`);

  // --- What is saved ---

  const isSave = (form, request) =>
    form?.matches("#hand-form[data-live]") && request.action === form.getAttribute("action") &&
    ["", "redeal", ...ANSWERS].includes(request.submitter?.name ?? "");

  // How a deal was thrown in: said by its button, or along with the answer to a question about it.
  const redeal = (submitter) => {
    if (submitter?.name === "redeal") return submitter.value;
    return ANSWERS.includes(submitter?.name) ? submitter.value.split(" ")[1] : undefined;
  };

  const isComplete = (form, submitter) => Boolean(redeal(submitter)) || form.checkValidity();

  const label = (form, submitter) => {
    const said = (name) => chosen(form, name)?.dataset.said ?? "";
    if (redeal(submitter)) return `${said("dealer")} · ${form.querySelector("[name=redeal]").dataset.said}`;
    const line = form.elements.line.value.trim();
    // What nobody declares the line says itself.
    if (line) return [isAgreed(form) ? words("agreed") : declarer(form), line].filter(Boolean).join(" · ");
    return inOrder(form).reduce(spoken, "");
  };

  const declarer = (form) => (chosen(form, "declarer")?.value ? chosen(form, "declarer").dataset.said : "");

  // Whether what is typed is no hand.
  const isAgreed = (form) => {
    const { staysWith } = form.dataset;
    return Boolean(staysWith) && form.elements.line.value.trim().startsWith(staysWith);
  };

  // The rows as they are said: what is glued to another stands behind it.
  const inOrder = (form) => {
    const rows = [...form.querySelectorAll("fieldset.choices:not(#field-dealer)")];
    const glued = rows.filter(({ dataset }) => dataset.glued);
    return rows.filter((row) => !glued.includes(row)).flatMap((row) =>
      [row, ...glued.filter(({ dataset }) => `field-${dataset.glued}` === row.id)]);
  };

  // A line of a hand with what one more row says; a row that need not be answered says nothing that counts.
  const spoken = (text, row) => {
    const input = row.querySelector("input:checked:enabled");
    const legend = row.querySelector("legend");
    const whose = "named" in row.dataset ? `${(legend.querySelector("small") ?? legend).textContent.trim()} ` : "";
    const silent = !input?.dataset.said || (row.dataset.requiredAt && !input.required);
    const said = silent ? "" : whose + input.dataset.said;
    return said && text ? `${text}${"glued" in row.dataset ? " " : " · "}${said}` : said || text;
  };

  // The outbox knows a hand by it: one without would take another's place there, and the server would never have it.
  const tokenOf = (body) => {
    if (!body.get("token")) body.set("token", uuid());
    return body.get("token");
  };

  const entryOf = (form, request) => {
    const own = ["csrfmiddlewaretoken", "token", "number"];
    return {
      token: tokenOf(request.body),
      session: form.dataset.session,
      url: form.getAttribute("action"),
      fields: [...request.body].filter(([name]) => !own.includes(name)),
      number: Number(request.body.get("number")),
      label: label(form, request.submitter),
      agreed: !redeal(request.submitter) && isAgreed(form),
      ...provisional.of(form, request.body),
    };
  };

  network.onRequest((ctx) => {
    const form = ctx.sourceElement;
    if (!isSave(form, ctx.request)) return;
    const entry = entryOf(form, ctx.request);
    const plainly = ctx.fetch;
    ctx.fetch = isComplete(form, ctx.request.submitter)
      ? (url, request) => save(form, entry, url, request, plainly)
      : (url, request) => tryUnfinished(form, url, request);
  });

  // --- How it is sent ---

  // What htmx is given: the server's answer, or one that says nothing, when there is none to be shown.
  const save = async (form, entry, url, request, plainly) => {
    try {
      await outbox.put(entry);
    } catch {
      return plainly(url, request);  // a browser that keeps nothing
    }
    const [first] = await outbox.of(entry.session);
    // Where others wait before it, all of them go, in order.
    const answer = first?.token === entry.token ? await send(entry, url, request) : await outbox.flush();
    if (answer) return answer;
    const left = await outbox.find(entry.token);
    if (!left) return toSheet(form, entry);
    await leave(form, left);
    return new Response(null, { status: 204 });
  };

  // The server says what is missing; without it, this does.
  const tryUnfinished = async (form, url, request) => {
    try {
      const response = await network.ask(url, request);
      if (outbox.isAnswer(response)) return response;
      throw new Error("somebody else has answered");
    } catch {
      form.dispatchEvent(new Event("form:lead", { bubbles: true }));
      return new Response(null, { status: 204 });
    }
  };

  // As the form's own request, so that the server answers with a page that keeps what was typed. Null when there is no
  // such answer, or when the outbox was quicker.
  const send = (entry, url, request) => outbox.inTurn(async () => {
    if (!(await outbox.find(entry.token))) return null;
    const patience = setTimeout(() => request.abort("timeout"), outbox.PATIENCE);
    try {
      const response = await network.ask(url, request);
      const text = await response.text();
      outbox.heed(response);
      if (!outbox.isAnswer(response)) return null;
      return (await settle(entry, response, text)) ? new Response(text, response) : null;
    } catch {
      return null;
    } finally {
      clearTimeout(patience);
    }
  });

  // The outbox has sent it.
  const toSheet = async (form, { token, session }) => {
    navigator.vibrate?.(30);
    const sent = (await outbox.ahead(session)).find((one) => one.token === token);
    const redirect = form.dataset.sheet + (sent ? `?saved=${sent.number}` : "");
    return new Response("", { headers: { "HX-Redirect": redirect } });
  };

  // Take note of the server's answer; false if its page would take what was typed away.
  const settle = async (entry, response, text) => {
    const sheet = response.headers.get("HX-Redirect");
    if (response.ok && sheet) {
      navigator.vibrate?.(30);
      await outbox.sent(entry.token, Number(new URL(sheet, location).searchParams.get("saved")));
      return true;
    }
    const again = new DOMParser().parseFromString(text, "text/html").getElementById("hand-form");
    if (again) {
      // What is in the form only is lost with it: until it is saved again, the hand stays here too.
      const token = again.elements.token.value;
      const next = Number(again.elements.number.value);
      const next_number = next > entry.number ? next : undefined;
      await outbox.refuse(entry, { sentence: again.dataset.refused, token, next_number });
      return true;
    }
    if (response.ok) return false;
    const phone = await outbox.whoAmI();
    const reason = phone && !phone.signed_in ? "signed-out" : { 403: "not-allowed", 404: "not-found" }[response.status];
    await outbox.refuse(entry, { reason: reason ?? "odd" });
    return false;
  };

  // --- When it was not sent ---

  const leave = async (form, entry) => {
    outbox.persist();
    const unsent = await outbox.of(entry.session);
    const last = (await outbox.ahead(entry.session)).at(-1);
    // Its page may have given way to another without network.
    if (!form.isConnected) return;
    if (entry.state === "waiting") {
      navigator.vibrate?.(30);
      ready(form, last);
      const stuck = unsent.some((one) => one.state === "refused");
      if (stuck) say(entryWords("behind", entry), "", form.dataset.sheet);
      else say(entryWords(outbox.isResting() ? "waits-busy" : "waits", entry));
    } else {
      say(entryWords("refused", entry), refusalReason(entry), form.dataset.sheet);
    }
  };

  // The form for the hand after this one, as the server would give it out.
  const ready = (form, entry) => {
    clear(form);
    formBar.clear();
    form.dispatchEvent(new Event("form:cleared"));
    form.querySelector("details").open = false;
    form.querySelector("#count").replaceChildren();
    for (const stale of form.querySelectorAll(".conflict, .error, form > .notice")) stale.remove();
    follow(form, entry);
    refresh(form);
    scrollTo({ top: 0 });
  };

  // Nothing chosen but what a form begins with, and what was tapped before it was known what else there is.
  const clear = (form) => {
    const presets = new Map(form.dataset.presets.trim().split(/\s+/).map((preset) => preset.split("=")));
    const others = (kind) => [...form.querySelectorAll(kind)].filter(({ name }) => !early.has(name));
    for (const radio of others("[type=radio]:not([name=dealer])")) {
      radio.checked = presets.get(radio.name) === radio.value;
    }
    for (const box of others("[type=checkbox]")) box.checked = false;
    for (const text of others("[type=text], [type=number]")) text.value = "";
    const kept = "[name=csrfmiddlewaretoken], [name=seating]";
    for (const hidden of form.querySelectorAll(`[type=hidden]:not(${kept})`)) hidden.value = "";
  };

  // Number, token and dealer of the hand after `entry`. Where who dealt that has gone home, the server's dealer stays.
  const follow = (form, entry) => {
    const fields = new Map(entry.fields);
    const dealt = form.querySelector(`[name=dealer][value="${fields.get("dealer")}"]`);
    form.elements.number.value = entry.number + 1;
    form.elements.meant.value = entry.number + 1;
    form.elements.token.value = uuid();
    if (dealt && !early.has("dealer")) {
      form.elements.dealer.value = provisional.stays(form, fields) ? dealt.value : dealt.dataset.next;
    }
    form.elements.offered.value = form.elements.dealer.value;
    delete form.elements.number.dataset.dealer;
  };

  const refresh = (form) => form.dispatchEvent(new Event("form:renewed", { bubbles: true }));

  // --- A form that does not come fresh from the server ---

  // What is tapped while the outbox is still being read stays as it was tapped.
  const early = new Set();
  const tapEarly = ({ isTrusted, target }) => {
    if (isTrusted && target.form === theForm()) early.add(target.name);
  };

  // Put a hand of the outbox into the form, to be corrected.
  const fill = (form, entry) => {
    for (const [name, value] of entry.fields) {
      const field = form.elements[name];
      // What was answered to a question was answered for that time.
      if (ANSWERS.includes(name) || early.has(name)) continue;
      if (field?.type === "checkbox") field.checked = true;
      else if (field) field.value = value;
    }
    form.elements.token.value = entry.token;
    form.dispatchEvent(new CustomEvent("form:filled", { detail: entry.fields.map(([name]) => name) }));
    if (entry.state === "waiting") {
      form.elements.number.value = entry.number;
      outbox.hold(entry.token);
    } else say(entryWords("refused", entry), refusalReason(entry));
    recount(form);
  };

  const recount = (form) => form.elements.declarer[0].dispatchEvent(new Event("change", { bubbles: true }));

  const open = async () => {
    const form = theForm();
    if (!form) return;
    const unsent = await outbox.of(form.dataset.session);
    const asked = new URLSearchParams(location.search).get("outbox");
    const corrected = unsent.find((entry) => entry.token === asked);
    if (corrected) return fill(form, corrected);
    // It was sent from here and found no network: the worker has put back what was typed, the token too.
    if ("typed" in document.body.dataset) return recount(form);
    // A page that the worker kept was opened before, under a token that may be spent.
    if ("kept" in document.body.dataset) form.elements.token.value = uuid();
    // The server's form may know of hands that were recorded since, and a kept one not yet of those of this phone.
    const last = (await outbox.ahead(form.dataset.session)).at(-1);
    if (last && last.number >= Number(form.elements.number.value)) {
      clear(form);
      follow(form, last);
    }
    refresh(form);
  };

  // --- What is said about it ---

  const { say } = formBar;

  let told = "";

  // What became of the hands saved before, while this form is open.
  const tell = async ({ sent }) => {
    const form = theForm();
    if (!form || form.matches(".htmx-request")) return;
    if (sent?.session === form.dataset.session) say(entryWords("sent", sent));
    const refused = (await outbox.of(form.dataset.session)).find((entry) => entry.state === "refused" && !entry.kept);
    // Of the hand that is in the form the server has said it there.
    if (refused?.token === form.elements.token.value) return;
    const now = refused ? refused.token + refusalReason(refused) : "";
    if (refused && now !== told) say(entryWords("refused", refused), refusalReason(refused), form.dataset.sheet);
    told = now;
  };

  // Two have written the same hand down: the one that is in the form is not needed.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-drop]");
    if (!link) return;
    event.preventDefault();
    await outbox.drop(theForm().elements.token.value).catch(() => {});
    location.assign(link.href);
  });

  outbox.listen(tell);
  const opened = async () => {
    document.addEventListener("change", tapEarly, true);
    try {
      await open();
    } finally {
      document.removeEventListener("change", tapEarly, true);
      early.clear();
    }
    theForm()?.dispatchEvent(new Event("form:opened", { bubbles: true }));
  };

  document.addEventListener("DOMContentLoaded", opened);
  document.addEventListener("page:shown", opened);
}
