// The sign in the header, which always says how this phone stands with the server: saved, waiting (2) or offline. And
// the words in which the scripts speak: they stand in the page (components/phone_words.html), in its language.
const words = (name, number) =>
  document.getElementById("words").getAttribute(`data-${name}`).replace("#", () => number);

// The same of what is in the outbox: a hand, or an entry that the table has agreed on.
const wordsOf = (name, { agreed, number }) => words(agreed ? `agreed-${name}` : name, number);

// Why a hand of the outbox was refused: the server's sentence, or ours for its reason.
const why = (entry) => entry.sentence || words(entry.reason);

const sign = (() => {
  // A page that the worker kept is shown when the server has not answered.
  let silent = "kept" in document.body.dataset;
  let unsent = 0;

  const show = () => {
    const element = document.getElementById("sign");
    if (!element) return;
    const state = unsent ? "waiting" : silent ? "offline" : "saved";
    if (element.dataset.state !== `${state} ${unsent}`) {
      element.dataset.state = `${state} ${unsent}`;
      element.className = `sign ${state}`;
      element.textContent = words(state, unsent);
    }
    // Away from the table's pages there is nothing to say until something waits.
    element.hidden = !document.body.dataset.session && !unsent;
  };

  const count = async () => {
    unsent = (await outbox.all()).length;
    show();
  };

  outbox.listen(count);
  window.addEventListener("pageshow", count);

  return {
    // The server has answered.
    heard: () => {
      silent = false;
      show();
      document.dispatchEvent(new Event("server:heard"));
    },
    // It has not.
    silent: () => { silent = true; show(); },
    isSilent: () => silent,
  };
})();
