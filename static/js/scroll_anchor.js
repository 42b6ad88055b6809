// Nothing that a thumb may be about to touch moves by itself on the evening's page. What is above the sheet stays on
// the screen where there is room for it. A phone that shows the top of the page shows there a hand that comes in from
// another phone. Where the page was scrolled, or a finger is on it, the hands that were on the screen stay where they
// are, and a word in the sheet's head leads up to the new one. What has come, or has moved, cannot be tapped at once.
/* global words */
{
  const INERT = 500;
  const MOST = 0.68;  // of the screen's height, for what stays on it
  const root = document.documentElement;
  // Asked for anew each time: the page may be shown in place of another.
  const state = () => document.getElementById("state");
  const room = () => document.getElementById("room");
  const newest = () => document.getElementById("newest");
  const isLive = () => Boolean(state()) && !("before" in state().dataset);
  let held = null;
  // Who has just come back to the page sees the latest hands, unless the thumb was there first.
  let arrived = false;
  let isTouched = false;

  const lines = () => [...state().querySelectorAll(".line")];
  const top = (element) => element.getBoundingClientRect().top;
  const height = (element) => element?.getBoundingClientRect().height ?? 0;
  const bar = () => state().querySelector(".evening-bar");
  const sheet = () => state().querySelector(".sheet tbody");
  const roof = () => state().querySelector(".sheet thead th").getBoundingClientRect().bottom;

  const fit = () => {
    const header = document.querySelector("header.top");
    const below = height(header);
    const head = below + height(document.getElementById("head"));
    root.style.setProperty("--below-top", `${below}px`);
    root.style.setProperty("--below-head", `${head}px`);
    const stays = head + height(state().querySelector(".sheet thead")) + height(bar());
    document.body.classList.toggle("still", isLive() && stays <= innerHeight * MOST);
  };

  const controls = () => [...bar().querySelectorAll("a, button, summary")];
  const meaning = (control) =>
    `${control.href ?? control.form?.action ?? ""} ${control.value ?? ""} ${Math.round(top(control))}`;

  const hold = () => {
    const shown = lines().filter((line) => line.getBoundingClientRect().bottom > roof() && top(line) < top(bar()));
    held = {
      follows: arrived || (scrollY < 1 && !isTouched),
      tops: shown.map((line) => [line.id, top(line)]),
      bar: top(bar()),
      last: lines()[0]?.id,
      controls: new Map(controls().map((control) => [control, meaning(control)])),
    };
  };

  // Where the page is too short to be scrolled that far, or its bar would go up with it, it gets the room.
  const bring = (line, place) => {
    const scroll = () => scrollBy({ top: top(line) - place, behavior: "instant" });
    scroll();
    const short = Math.max(top(line) - place, held.bar - top(bar()));
    if (short < 0.5) return;
    room().style.flexBasis = `${height(room()) + short}px`;
    scroll();
  };

  const offer = () => {
    if (!newest()) return;
    const [latest] = lines();
    newest().hidden =
      !latest || newest().dataset.hand !== latest.id || latest.getBoundingClientRect().bottom > roof() + 1;
  };

  const calm = (control) => {
    control.classList.add("just-come");
    setTimeout(() => control.classList.remove("just-come"), INERT);
  };

  const release = () => {
    if (!held) return;
    const kept = held.tops.find(([id]) => document.getElementById(id));
    if (kept && !held.follows) bring(document.getElementById(kept[0]), kept[1]);
    else if (kept && Math.abs(top(document.getElementById(kept[0])) - kept[1]) > 0.5) calm(sheet());
    for (const control of controls()) if (held.controls.get(control) !== meaning(control)) calm(control);
    const [latest] = lines();
    if (latest && latest.id !== held.last && held.last && latest.id !== newest().dataset.hand) {
      newest().dataset.hand = latest.id;
      newest().textContent = `↑ ${words("hand", latest.id.replace("hand-", ""))}`;
    }
    offer();
  };

  const arrive = () => {
    if (document.hidden || !isLive()) return;
    arrived = true;
    room().style.flexBasis = "";
    delete state().dataset.from;
    scrollTo({ top: 0, behavior: "instant" });
  };

  // The part is morphed in one go: what moved is put right before it is painted.
  const watch = new MutationObserver(() => { watch.disconnect(); release(); });

  document.addEventListener("live:swap", () => {
    if (!state()) return;
    hold();
    const attributes = { attributes: true, attributeFilter: ["id", "href"] };
    watch.observe(state(), { childList: true, subtree: true, characterData: true, ...attributes });
  });
  document.addEventListener("live:swapped", () => {
    watch.disconnect();
    release();
    held = null;
    arrived = false;
  });
  for (const touch of ["pointerdown", "wheel", "keydown"]) {
    document.addEventListener(touch, () => { arrived = false; }, { capture: true, passive: true });
  }
  // Heard on what is touched, as the end of a touch does not leave what a morph has taken off the page.
  const lift = ({ touches }) => { isTouched = touches.length > 0; };
  document.addEventListener("touchstart", (event) => {
    lift(event);
    for (const end of ["touchend", "touchcancel"]) event.target.addEventListener(end, lift, { once: true });
  }, { passive: true });
  document.addEventListener("scroll", offer, { passive: true });
  document.addEventListener("visibilitychange", arrive);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) arrive(); });
  document.addEventListener("click", ({ target }) => { if (target.closest("#newest")) scrollTo({ top: 0 }); });

  const sizes = new ResizeObserver(fit);
  const start = () => {
    sizes.disconnect();
    if (!state()) return;
    for (const part of [document.querySelector("header.top"), document.getElementById("head"), bar()]) {
      sizes.observe(part, { box: "border-box" });
    }
    fit();
  };

  document.addEventListener("page:shown", start);
  window.addEventListener("resize", () => { if (state()) fit(); });
  start();
}
