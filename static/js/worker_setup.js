// Registers the service worker, which keeps pages for when there is no network, and tells it when they have changed.
// On plain http, where browsers have none, the page says so until the notice was dismissed on this phone.
/* global outbox, words */
{
  const READ = "plain-http-read";
  const worker = navigator.serviceWorker;

  const keep = async () => {
    const pages = document.body.dataset.keep?.split(" ");
    if (pages) (await worker.ready).active.postMessage({ keep: pages });
  };

  const showPlainHttp = () => {
    const notice = document.getElementById("plain-http");
    let read = null;
    try { read = localStorage.getItem(READ); } catch { /* then the notice is shown each time */ }
    if (!notice || read) return;
    notice.querySelector("p").textContent = words("plain-http");
    notice.hidden = false;
    notice.querySelector("button").addEventListener("click", () => {
      notice.hidden = true;
      try { localStorage.setItem(READ, "yes"); } catch { /* as above */ }
    });
  };

  // On the offline page: show the link to the kept page.
  const linkKeptPage = async () => {
    const link = document.getElementById("kept");
    const name = link && (await caches.keys()).find((one) => one.startsWith("pages:"));
    const pages = name ? (await (await caches.open(name)).keys()).map((page) => page.url).sort() : [];
    // The sheet comes first: the form's address begins with the sheet's. That of the tables has a query.
    const href = pages.find((url) => !url.includes("?"));
    if (href) Object.assign(link, { hidden: false, href, className: "button primary wide" });
  };

  if (worker) {
    // A browser may refuse, for example in a private window: then all works as without a worker.
    worker.register(document.body.dataset.worker).catch(() => {});
    // A worker that has just taken over has not seen this page being loaded.
    worker.addEventListener("controllerchange", keep);
    // Nor has one that became active while this page was being loaded.
    if (!performance.getEntriesByType("navigation")[0]?.workerStart) keep();
    document.addEventListener("live:changed", keep);
    outbox.listen(async ({ sent }) => {
      if (sent) keep();
      else if ((await outbox.all()).length) (await worker.ready).sync?.register("outbox").catch(() => {});
    });
    linkKeptPage();
  } else if (!isSecureContext) {
    showPlainHttp();
  }
}
