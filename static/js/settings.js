// Reads and stores a setting of this browser. Without storage it lasts no longer than the page.
/* exported setting */
const setting = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
