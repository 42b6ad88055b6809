// What is said about the hand form: over the live count, in the bar at the bottom, so that nothing moves. A notice
// goes at the next tap in the form; a question takes the place of the buttons too, and stays until it is answered.
/* global network, outbox, words */
/* exported formBar */
const formBar = (() => {
  const STRANGE = 500;  // so long nothing new under a thumb can be tapped by what was meant for something else
  let timer;

  const theForm = () => document.getElementById("hand-form");
  const news = () => document.getElementById("hand-news");
  const bar = () => theForm()?.querySelector(".bar");

  const still = () => {
    const held = bar();
    clearTimeout(timer);
    held.dataset.still = "";
    timer = setTimeout(() => delete held.dataset.still, STRANGE);
  };

  const show = (...content) => {
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.append(...content);
    news().replaceChildren(notice);
    news().scrollTop = 0;
  };

  // A notice: a sentence, why, and the address where it is decided, or nothing of the last two.
  const say = (first, reason, sheet) => {
    if (!theForm() || isAsking()) return;
    show(Object.assign(document.createElement("p"), { textContent: [first, reason].filter(Boolean).join(" ") }));
    if (!sheet) return;
    const link = { href: sheet, className: "button", textContent: words("decide") };
    news().firstChild.append(Object.assign(document.createElement("a"), link));
    still();
  };

  const isAsking = () => Boolean(bar() && "asking" in bar().dataset);

  // What stands in the bar's two places is a question from now on.
  const ask = () => {
    bar().dataset.asking = "";
    still();
  };

  const clear = () => {
    delete bar().dataset.asking;
    news().replaceChildren();
    document.getElementById("hand-question").replaceChildren();
  };

  document.addEventListener("click", (event) => {
    const form = theForm();
    if (event.isTrusted && form?.contains(event.target) && !isAsking() && !news().contains(event.target)) {
      news().replaceChildren();
    }
  }, true);

  // Nothing is sent while it is asked whether it is to be.
  document.addEventListener("submit", (event) => {
    if (event.target !== theForm() || !isAsking()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // An answer that holds no form does not take the place of what was typed; it is said why there is none.
  const keep = async (response) => {
    if (response.ok) return response;
    const text = await response.text();
    const again = new DOMParser().parseFromString(text, "text/html").getElementById("hand-form");
    if (again) return new Response(text, response);
    const phone = await outbox.whoAmI();
    const signedOut = phone && !phone.signed_in;
    say(words(signedOut ? "signed-out" : { 403: "not-allowed", 404: "not-found" }[response.status] ?? "odd"));
    return new Response(null, { status: 204 });
  };

  network.onRequest((ctx) => {
    const element = ctx.sourceElement;
    if (!element.closest?.("#hand-form") || element.id === "count") return;
    const plainly = ctx.fetch;
    ctx.fetch = async (url, request) => keep(await plainly(url, request));
  });

  return { say, show, ask, still, clear, isAsking };
})();
