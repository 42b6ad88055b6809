// Keeps the hands on the screen in place when another phone's hand comes into the evening's page, so that nothing moves
// under a thumb. What has come or moved ignores taps for a moment.
/* global words */
{
  // A page at its top shows the new hand there. If it was scrolled, or a finger is on it, the hands on the screen stay,
  // and a link in the sheet's head leads up to the new one. The parts above the sheet stick where there is room.
  const INERT = 500;
  const MOST = 0.68;  // the part of the screen's height that sticky parts may take
  // The head stands beside the sheet there, and covers no row.
  const LARGE = matchMedia("(min-width: 900px) and (min-height: 501px)");
  const root = document.documentElement;
  // Functions, since pages.js may replace the page.
  const state = () => document.querySelector("main > #state");
  const room = () => document.getElementById("room");
  const newest = () => state()?.querySelector("#newest");
  const isLive = () => Boolean(state()) && !("before" in state().dataset);
  let remembered = null;
  // Back on the page: show the latest hands, unless the user touches the page first.
  let arrived = false;
  let isTouched = false;

  const lines = () => [...state().querySelectorAll(".line")];
  const top = (element) => element.getBoundingClientRect().top;
  const height = (element) => element?.getBoundingClientRect().height ?? 0;
  const bar = () => state().querySelector(".evening-bar");
  const sheet = () => state().querySelector(".sheet tbody");
  const headBottom = () => state().querySelector(".sheet thead th").getBoundingClientRect().bottom;

  // Each change here is one of the whole page, and a measurement after it would lay all of it out once more: everything
  // is measured first.
  const updateSticky = () => {
    const below = height(document.querySelector("header.top"));
    const head = below + height(document.getElementById("head"));
    const stays = head + height(bar());
    const fits = LARGE.matches
      ? stays <= innerHeight
      : stays + height(state().querySelector(".sheet thead")) <= innerHeight * MOST;
    setPlace("--below-top", below);
    setPlace("--below-head", LARGE.matches ? below : head);
    document.body.classList.toggle("still", isLive() && fits);
  };

  const setPlace = (name, place) => {
    if (root.style.getPropertyValue(name) !== `${place}px`) root.style.setProperty(name, `${place}px`);
  };

  const controls = () => [...bar().querySelectorAll("a, button, summary")];
  const identity = (control) =>
    `${control.href ?? control.form?.action ?? ""} ${control.value ?? ""} ${Math.round(top(control))}`;

  const remember = () => {
    const isShown = (line) => line.getBoundingClientRect().bottom > headBottom() && top(line) < top(bar());
    const shown = lines().filter(isShown);
    remembered = {
      follows: arrived || (scrollY < 1 && !isTouched),
      tops: shown.map((line) => [line.id, top(line)]),
      bar: top(bar()),
      last: lines()[0]?.id,
      controls: new Map(controls().map((control) => [control, identity(control)])),
    };
  };

  // Scroll a line back to its place. Where the page is too short for that, or the bar would move up, lengthen the page.
  const scrollBack = (line, place) => {
    const scroll = () => scrollBy({ top: top(line) - place, behavior: "instant" });
    scroll();
    const short = Math.max(top(line) - place, remembered.bar - top(bar()));
    if (short < 0.5) return;
    room().style.minHeight = `${height(room()) + short}px`;
    scroll();
  };

  const updateNewestLink = () => {
    if (!newest()) return;
    const [latest] = lines();
    newest().hidden =
      !latest || newest().dataset.hand !== latest.id || latest.getBoundingClientRect().bottom > headBottom() + 1;
  };

  const makeInert = (control) => {
    control.classList.add("just-come");
    setTimeout(() => control.classList.remove("just-come"), INERT);
  };

  const restore = () => {
    if (!remembered) return;
    const kept = remembered.tops.find(([id]) => document.getElementById(id));
    if (kept && !remembered.follows) scrollBack(document.getElementById(kept[0]), kept[1]);
    else if (kept && Math.abs(top(document.getElementById(kept[0])) - kept[1]) > 0.5) makeInert(sheet());
    for (const control of controls()) if (remembered.controls.get(control) !== identity(control)) makeInert(control);
    const [latest] = lines();
    if (latest && latest.id !== remembered.last && remembered.last && latest.id !== newest().dataset.hand) {
      newest().dataset.hand = latest.id;
      newest().textContent = `↑ ${words("hand", latest.id.replace("hand-", ""))}`;
    }
    updateNewestLink();
  };

  const showLatest = () => {
    if (document.hidden || !isLive()) return;
    arrived = true;
    room().style.minHeight = "";
    delete state().dataset.from;
    scrollTo({ top: 0, behavior: "instant" });
  };

  // A mutation observer runs before the next paint: nothing is seen to move.
  const observer = new MutationObserver(() => { observer.disconnect(); restore(); });

  document.addEventListener("live:swap", () => {
    if (!state()) return;
    remember();
    const attributes = { attributes: true, attributeFilter: ["id", "href"] };
    observer.observe(state(), { childList: true, subtree: true, characterData: true, ...attributes });
  });
  document.addEventListener("live:swapped", () => {
    observer.disconnect();
    restore();
    remembered = null;
    arrived = false;
  });
  for (const touch of ["pointerdown", "wheel", "keydown"]) {
    document.addEventListener(touch, () => { arrived = false; }, { capture: true, passive: true });
  }
  // Listen on the touched element: events of one that a morph has removed do not reach the document.
  const noteTouches = ({ touches }) => { isTouched = touches.length > 0; };
  document.addEventListener("touchstart", (event) => {
    noteTouches(event);
    for (const end of ["touchend", "touchcancel"]) event.target.addEventListener(end, noteTouches, { once: true });
  }, { passive: true });
  document.addEventListener("scroll", updateNewestLink, { passive: true });
  document.addEventListener("visibilitychange", showLatest);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) showLatest(); });
  document.addEventListener("click", ({ target }) => { if (target.closest("#newest")) scrollTo({ top: 0 }); });

  const sizes = new ResizeObserver(updateSticky);
  const observeSizes = () => {
    sizes.disconnect();
    if (!state()) return;
    for (const part of [document.querySelector("header.top"), document.getElementById("head"), bar()]) {
      sizes.observe(part, { box: "border-box" });
    }
    updateSticky();
  };

  document.addEventListener("page:shown", observeSizes);
  window.addEventListener("resize", () => { if (state()) updateSticky(); });
  observeSizes();
}
