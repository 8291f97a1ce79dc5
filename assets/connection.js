/* What Dash asks the server for by itself: where no answer comes, Dash says nothing, so that a pressed
   button would do nothing without a word. */
const AWAY = gantry.msg("connection.away");
const { fetch } = window;

const showNotice = (words) => gantry.at("notice") && (gantry.at("notice").textContent = words);
const clearNotice = () => gantry.at("notice") && gantry.at("notice").textContent === AWAY && showNotice("");

window.fetch = async function (...asked) {
  if (!String(asked[0]).includes("_dash-update-component")) return fetch(...asked);
  try {
    const answer = await fetch(...asked);
    if (answer.status >= 500) showNotice(AWAY);
    else clearNotice();
    return answer;
  } catch (error) {
    showNotice(AWAY);
    throw error;
  }
};
