// The shelf of the outbox: its entries (outbox.js says what they are), in IndexedDB. Pages and worker read this alike.
// Where nothing could be read because it was not open, "outbox:readable" says when it is worth looking once more.
/* exported shelf */
const shelf = (() => {
  const OPENING = 2000;  // so long it is waited for a browser that opens it and does not come to an end
  const SHUT = 3000;     // so long after that there is nothing here, before it is tried again
  let opened;
  let again;

  // A phone that slept may find that the browser has closed it: then it is opened anew. So is one that would not open.
  const database = () => opened ??= open().then((db) => {
    if (!db) again = setTimeout(reopen, SHUT);
    return db;
  });

  const reopen = () => {
    opened = null;
    lookAgain();
  };

  const lookAgain = () => dispatchEvent(new Event("outbox:readable"));

  // Though it is late, and nobody waits any more.
  const openedLate = (db) => {
    clearTimeout(again);
    opened = Promise.resolve(db);
    lookAgain();
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
      // Closed, and nobody was told.
      opened = null;
      return (await database())?.transaction("entries", ...how);
    }
  };

  // One transaction: `change` is given all entries, the oldest first, and says which to write and which to take out.
  // It is over when that is on the disk. Rejects where the browser keeps nothing (some private windows).
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

  // None, where it cannot be read: who only looks goes on without it.
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
