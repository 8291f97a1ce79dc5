/* What Dash asks the server for by itself: where no answer comes, Dash says nothing, so that a pressed
   button would do nothing without a word. */
import { at } from "../page/dom";
import { msg } from "../page/messages";

export function listen() {
  const AWAY = msg("connection.away");
  const { fetch } = window;
  const show = (words: string, instead?: string) => {
    const notice = at("notice");
    if (notice && (instead === undefined || notice.textContent === instead)) notice.textContent = words;
  };

  window.fetch = async (...request) => {
    if (!String(request[0]).includes("_dash-update-component")) return fetch(...request);
    try {
      const answer = await fetch(...request);
      if (answer.status >= 500) show(AWAY);
      else show("", AWAY);
      return answer;
    } catch (error) {
      show(AWAY);
      throw error;
    }
  };
}
