// Keeps the screen awake on the pages that lie on the table (data-awake), where the browser can and the user has not
// switched it off. The browser takes the lock back whenever the page is out of sight, so it is asked for again.
{
  const KEY = "awake";
  const box = document.getElementById("awake");
  let lock = null;

  const stored = (value) => {
    // A browser that keeps nothing for us forgets the switch, and no more.
    try {
      if (value !== undefined) localStorage.setItem(KEY, value);
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const take = async () => {
    if (lock && !lock.released) return;
    if (document.hidden || stored() === "off") return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null;  // a low battery is reason enough
    }
  };

  if ("wakeLock" in navigator && "awake" in document.body.dataset) {
    if (box) {
      box.checked = stored() !== "off";
      box.closest("label").hidden = false;
      box.addEventListener("change", () => {
        stored(box.checked ? "on" : "off");
        if (box.checked) take();
        else lock?.release();
      });
    }
    document.addEventListener("visibilitychange", take);
    window.addEventListener("pageshow", take);
  }
}
