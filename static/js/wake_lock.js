// Keeps the screen awake on pages with data-awake, unless that is switched off for this phone, on the members' page.
// The browser releases the lock whenever the page is hidden, so it is requested again.
/* global setting */
{
  const KEY = "awake";
  const isOff = () => setting(KEY) === "off" || document.documentElement.dataset.awake === "off";
  const box = document.getElementById("awake");
  let lock = null;

  const request = async () => {
    if (document.hidden || isOff() || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null;  // browsers refuse it, for example when the battery is low
    }
  };

  if ("wakeLock" in navigator && box) {
    box.checked = !isOff();
    box.closest("label").hidden = false;
    box.addEventListener("change", () => setting(KEY, box.checked ? "on" : "off"));
  }
  if ("wakeLock" in navigator && "awake" in document.body.dataset) {
    document.addEventListener("visibilitychange", request);
    window.addEventListener("pageshow", request);
  }
}
