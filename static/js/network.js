// A request that got no answer says so, and the page stays as it is: nothing typed is lost.
{
  const toast = document.getElementById("no-network");

  const nothing = () => new Response(null, { status: 204 });

  const unanswered = (element) => {
    if (element.dataset?.offline) element.textContent = element.dataset.offline;
    else toast.hidden = false;
  };

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    ctx.fetch = async (url, request) => {
      try {
        const response = await fetch(url, request);
        if (!outbox.isAnswer(response)) throw new Error("somebody else has answered");
        // What only counts along does not show a whole page that turns this phone away: the form will, when it is saved.
        return ctx.sourceElement.dataset.offline && [403, 404].includes(response.status) ? nothing() : response;
      } catch (error) {
        // Another request has taken this one's place.
        if (error.name === "AbortError") throw error;
        unanswered(ctx.sourceElement);
        return nothing();
      }
    };
  });
  document.addEventListener("htmx:error", (event) => unanswered(event.target));
  document.addEventListener("htmx:before:request", () => { toast.hidden = true; });
}
