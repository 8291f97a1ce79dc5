/* What many scripts need: elements, questions to the server, what the browser keeps, and work that waits
   its turn. */
gantry.at = (id) => document.getElementById(id);

/* What the page says to people, by key: `SCRIPT.NAME` of webapp/messages/en/scripts.toml or `shared.NAME`
   of shared.toml, with its {values} filled in. `gantry.messages` stands before all scripts
   (webapp/services/bundle.py). */
gantry.msg = function (key, values) {
  const text = gantry.messages[key];
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => values[name]) : text;
};

/* An element; props are attributes (true: without a value; null, undefined and false: none) and listeners,
   such as onclick. */
gantry.h = function (tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

/* What a run is of, of a draft or whatever else holds it. */
gantry.asked = ({ scenario, schedulers }) => ({ scenario, schedulers: schedulers || [] });

/* Kept once so many ms are over. */
gantry.wait = (ms) => new Promise((then) => setTimeout(then, ms));

/* Asks again when a proxy says so: for a server that is starting again, or for a network that asks too
   much at once. */
const MAX_ASKED = 4;
gantry.post = async function (address, body) {
  for (let asked = 1; ; asked++) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const wait = Number(answer.headers.get("Retry-After"));
    if (!wait || ![429, 503].includes(answer.status) || asked === MAX_ASKED) return answer;
    await gantry.wait(wait * 1000);
  }
};

/* A text that a spreadsheet would take for a formula gets an apostrophe, as the engine's CSV has it;
   numbers stay as they are. */
gantry.inert = (cell) =>
  typeof cell === "string" &&
  /^[=+\-@\t\r\n]/.test(cell) &&
  !/^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell)
    ? `'${cell}`
    : String(cell);
gantry.uninert = (text) => (/^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text);

/* What the browser keeps by this name; null of a browser that keeps nothing. */
gantry.kept = function (name) {
  try {
    return JSON.parse(window.localStorage.getItem(name));
  } catch {
    return null;
  }
};

/* Does this work once there() is true, which is asked each frame, for some seconds. */
gantry.when = function (there, work, frames = 600) {
  if (there()) work();
  else if (frames) requestAnimationFrame(() => gantry.when(there, work, frames - 1));
};

/* A function that does this work once nobody has asked for it again within so many ms. */
gantry.rested = function (work, ms) {
  let timer = 0;
  return function () {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
};

/* A function that does this work one at a time: of what is asked for meanwhile the last is done next, the
   others never. */
gantry.latest = function (work) {
  let busy = false;
  let asked = null;
  return async function (...wish) {
    asked = wish;
    if (busy) return;
    busy = true;
    try {
      while (asked) {
        const now = asked;
        asked = null;
        await work(...now);
      }
    } finally {
      busy = false;
    }
  };
};
