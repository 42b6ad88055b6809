// Shows notices and questions about the hand form in the bar at the bottom, over the live count, so that nothing moves.
// The next tap in the form removes a notice; a question also replaces the buttons, and stays until it is answered. The
// count and notices are higher than their line: for a moment taps go through them to what they have covered.
/* global network, outbox, words */
/* exported formBar */
const formBar = (() => {
  const INERT = 500;  // ms in which the bar ignores a tap that was aimed at what it showed before
  let timer;
  let riseTimer;
  let risen = "";  // the selector of what is higher than the line
  let question = "";  // as it was shown last

  const theForm = () => document.getElementById("hand-form");
  const noticePlace = () => document.getElementById("hand-news");
  const bar = () => theForm()?.querySelector(".bar");

  const makeInert = () => {
    const held = bar();
    clearTimeout(timer);
    held.dataset.still = "";
    timer = setTimeout(() => delete held.dataset.still, INERT);
  };

  const showNotice = (...content) => {
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.append(...content);
    noticePlace().replaceChildren(notice);
    noticePlace().scrollTop = 0;
    noteRise();
  };

  // For a moment let taps through the count or the notice that has just risen over the page.
  const noteRise = () => {
    const telling = bar()?.querySelector(".telling");
    const now = ["#hand-news > *", ".counted, .error"].find((shown) => telling?.querySelector(shown)) ?? "";
    if (now && now !== risen) {
      clearTimeout(riseTimer);
      telling.dataset.risen = "";
      riseTimer = setTimeout(() => delete telling.dataset.risen, INERT);
    }
    risen = now;
  };
  document.addEventListener("htmx:after:swap", noteRise);

  // Show a notice: a sentence, perhaps the reason, and perhaps a link to the sheet, where the user decides.
  const notify = (first, reason, sheet) => {
    if (!theForm() || isAsking()) return;
    showNotice(Object.assign(document.createElement("p"), { textContent: [first, reason].filter(Boolean).join(" ") }));
    if (!sheet) return;
    const link = { href: sheet, className: "button", textContent: words("decide") };
    noticePlace().firstChild.append(Object.assign(document.createElement("a"), link));
    makeInert();
  };

  const isAsking = () => Boolean(bar() && "asking" in bar().dataset);

  // Ask what the server has put into the bar: with the count of a form, or with the form that comes back.
  const ask = () => {
    const now = document.getElementById("hand-question")?.innerHTML.trim() ?? "";
    if (now && now !== question && theForm()) {
      bar().dataset.asking = "";
      makeInert();
    }
    question = now;
  };

  document.addEventListener("htmx:after:swap", ask);

  const clear = () => {
    delete bar().dataset.asking;
    noticePlace().replaceChildren();
    document.getElementById("hand-question").replaceChildren();
  };

  const isOnLink = (target) => noticePlace().contains(target) && target.closest("a");

  // For a moment the bar takes taps, Enter and Space, and does nothing.
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".bar[data-still]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // A key chooses without a trusted click (keys.js).
  for (const act of ["click", "change"]) {
    document.addEventListener(act, (event) => {
      const form = theForm();
      if (event.isTrusted && form?.contains(event.target) && !isAsking() && !isOnLink(event.target)) {
        noticePlace().replaceChildren();
      }
    }, true);
  }

  // A tap elsewhere folds up who deals again.
  document.addEventListener("click", ({ target }) => {
    const fold = bar()?.querySelector(".throw-in[open]");
    if (fold && !fold.contains(target)) fold.open = false;
  });

  // While a question is open, send nothing but its answers.
  document.addEventListener("submit", (event) => {
    if (event.target !== theForm() || !isAsking() || event.submitter?.closest("#hand-question")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // Keep the form, with what was typed, when the answer is an error page without a form; show the reason instead.
  const keepForm = async (response) => {
    if (response.ok) return response;
    const text = await response.text();
    const again = new DOMParser().parseFromString(text, "text/html").getElementById("hand-form");
    if (again) return new Response(text, response);
    notify(words(await outbox.denialOf(response)));
    return new Response(null, { status: 204 });
  };

  network.onRequest((ctx) => {
    const element = ctx.sourceElement;
    if (!element.closest?.("#hand-form") || element.id === "count") return;
    const send = ctx.fetch;
    ctx.fetch = async (url, request) => keepForm(await send(url, request));
  });

  return { notify, showNotice, makeInert, clear, isAsking };
})();
