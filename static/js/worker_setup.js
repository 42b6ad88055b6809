// What a browser gives a page only by HTTPS: a service worker, which keeps the pages for when there is no network. It
// is told to keep them again when they have changed. Where there is none because of plain http, the page says so, until
// it has been read on this phone.
/* global outbox */
{
  const READ = "plain-http-read";
  const worker = navigator.serviceWorker;

  const keep = async () => {
    const pages = document.body.dataset.keep?.split(" ");
    if (pages) (await worker.ready).active.postMessage({ keep: pages });
  };

  const sayPlain = () => {
    const notice = document.getElementById("plain-http");
    let read = null;
    try { read = localStorage.getItem(READ); } catch { /* then it is said each time */ }
    if (!notice || read) return;
    notice.hidden = false;
    notice.querySelector("button").addEventListener("click", () => {
      notice.hidden = true;
      try { localStorage.setItem(READ, "yes"); } catch { /* as above */ }
    });
  };

  // On the page for no network: the way to what is kept.
  const offerKept = async () => {
    const link = document.getElementById("kept");
    const name = link && (await caches.keys()).find((one) => one.startsWith("pages:"));
    const pages = name ? (await (await caches.open(name)).keys()).map((page) => page.url).sort() : [];
    // The sheet's address is how the form's begins.
    if (pages.length) Object.assign(link, { hidden: false, href: pages[0], className: "button primary wide" });
  };

  if (worker) {
    // A browser may refuse, in a private window for one: then everything is as without a worker.
    worker.register(document.body.dataset.worker).catch(() => {});
    // A worker that has just taken over has not seen this page come in.
    worker.addEventListener("controllerchange", keep);
    // Nor has one that took over, or became active, while this page was on its way.
    if (!performance.getEntriesByType("navigation")[0]?.workerStart) keep();
    document.addEventListener("live:changed", keep);
    outbox.listen(async ({ sent }) => {
      if (sent) keep();
      else if ((await outbox.all()).length) (await worker.ready).sync?.register("outbox").catch(() => {});
    });
    offerKept();
  } else if (!isSecureContext) {
    sayPlain();
  }
}
