// Keeps the screen awake on pages with data-awake, unless the user has switched that off. The browser releases the lock
// whenever the page is hidden, so it is requested again.
/* global setting */
{
  const KEY = "awake";
  const box = document.getElementById("awake");
  let lock = null;

  const request = async () => {
    if (lock && !lock.released) return;
    if (document.hidden || setting(KEY) === "off") return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null;  // browsers refuse it, for example when the battery is low
    }
  };

  if ("wakeLock" in navigator && "awake" in document.body.dataset) {
    if (box) {
      box.checked = setting(KEY) !== "off";
      box.closest("label").hidden = false;
      box.addEventListener("change", () => {
        setting(KEY, box.checked ? "on" : "off");
        if (box.checked) request();
        else lock?.release();
      });
    }
    document.addEventListener("visibilitychange", request);
    window.addEventListener("pageshow", request);
  }
}
