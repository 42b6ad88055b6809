// Stores the entries of the outbox (outbox.js) in IndexedDB, for pages and the service worker alike.
// Fires 'outbox:readable' when a database that could not be opened in time may be read after all.
/* exported shelf */
const shelf = (() => {
  const OPENING = 2000;  // ms to wait for the browser to open it
  const SHUT = 3000;     // ms to go without it before it is opened again
  let opened;
  let reopenTimer;

  // Return the database, null if it cannot be opened. Browsers close it while a phone sleeps: then it is opened again.
  const database = () => opened ??= open().then((db) => {
    if (!db) reopenTimer = setTimeout(reopen, SHUT);
    return db;
  });

  const reopen = () => {
    opened = null;
    announceReadable();
  };

  const announceReadable = () => dispatchEvent(new Event("outbox:readable"));

  // The caller has gone on without it: use it from now on.
  const openedLate = (db) => {
    clearTimeout(reopenTimer);
    opened = Promise.resolve(db);
    announceReadable();
  };

  const open = () => new Promise((resolve) => {
    let late = false;
    setTimeout(() => { late = true; resolve(null); }, OPENING);
    try {
      const opening = indexedDB.open("outbox", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: "token" });
      opening.onsuccess = () => {
        opening.result.onclose = () => { opened = null; };
        if (late) openedLate(opening.result);
        else resolve(opening.result);
      };
      opening.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });

  const begin = async (...how) => {
    try {
      return (await database())?.transaction("entries", ...how);
    } catch {
      // The browser has closed it without a `close` event.
      opened = null;
      return (await database())?.transaction("entries", ...how);
    }
  };

  // In one transaction, call `change` with all entries, the oldest first; it returns {write, remove}, lists of entries
  // and of tokens. Resolve when that is on the disk. Reject without IndexedDB (some private windows).
  const update = async (change) => {
    const transaction = await begin("readwrite", { durability: "strict" });
    if (!transaction) throw new Error("there is no IndexedDB here");
    return new Promise((resolve, reject) => {
      const store = transaction.objectStore("entries");
      store.getAll().onsuccess = ({ target }) => {
        const { write = [], remove = [] } = change(inOrder(target.result));
        for (const token of remove) store.delete(token);
        for (const entry of write) store.put(entry);
      };
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  };

  const inOrder = (entries) => entries.sort((one, other) => one.made_at - other.made_at);

  // Return all entries, the oldest first; none if the database cannot be read.
  const everything = async () => {
    const transaction = await begin("readonly").catch(() => null);
    if (!transaction) return [];
    return new Promise((resolve) => {
      const reading = transaction.objectStore("entries").getAll();
      reading.onsuccess = () => resolve(inOrder(reading.result));
      transaction.onabort = () => resolve([]);
    });
  };

  return { update, everything };
})();
