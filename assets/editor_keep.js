/* What a reload or a closed tab must not lose: the draft and its steps.
   sessionStorage holds this tab's own, localStorage the one last changed in any tab; IndexedDB takes what they have no room for.
   "draft" is the key of the page's store of that name too. */
(function (editor) {
  "use strict";

  const DRAFT = "draft";
  const STEPS = "draft-steps";
  const MOST_STEPS = 1_500_000; // characters; browsers give some 5 million to a site
  const PAUSE_MS = 500;
  const texts = new WeakMap();
  let timer = null;
  let pending = null;

  /* Each step's text is made once: states never change. */
  function textOf(step) {
    if (!texts.has(step)) {
      const { state: { ids: _, ...draft }, ...rest } = step;
      texts.set(step, JSON.stringify({ ...rest, draft }));
    }
    return texts.get(step);
  }

  function write(draft, steps) {
    const text = JSON.stringify(draft);
    try {
      sessionStorage.setItem(DRAFT, text);
      localStorage.setItem(DRAFT, text);
    } catch {
      large(text);
    }
    pending = steps;
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE_MS);
  }

  /* The newest steps that have room. */
  function flush() {
    if (!pending) return;
    let room = MOST_STEPS;
    const fitting = (list) => {
      const texts = [];
      for (const step of [...list].reverse()) {
        const text = textOf(step);
        room -= text.length;
        if (room < 0) break;
        texts.unshift(text);
      }
      return texts.join(",");
    };
    const text = `{"past":[${fitting(pending.past)}],"future":[${fitting(pending.future)}]}`;
    pending = null;
    try {
      sessionStorage.setItem(STEPS, text);
    } catch {
      sessionStorage.removeItem(STEPS);
    }
  }

  /* A draft too large for web storage: the database keeps it under this tab's name, the storages keep the name. */
  function large(text) {
    try {
      sessionStorage.removeItem(STEPS);
      const name = (JSON.parse(sessionStorage.getItem(DRAFT) || "{}") || {}).large || `draft ${Date.now()} ${performance.now()}`;
      const pointer = JSON.stringify({ large: name });
      sessionStorage.setItem(DRAFT, pointer);
      localStorage.setItem(DRAFT, pointer);
      database("readwrite", (store) => {
        store.getAllKeys().onsuccess = ({ target }) => target.result.filter((key) => key !== name).slice(0, -3).forEach((key) => store.delete(key));
        return store.put(text, name);
      }).catch(refused);
    } catch {
      refused();
    }
  }

  const refused = () => editor.say("This browser's storage is full: save the draft as a file before you close the page.", true);

  function database(mode, use) {
    return new Promise((resolve, reject) => {
      const opening = indexedDB.open("gantry", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("drafts");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const request = use(opening.result.transaction("drafts", mode).objectStore("drafts"));
        request.transaction.oncomplete = () => { opening.result.close(); resolve(request.result); };
        request.transaction.onerror = () => { opening.result.close(); reject(request.error); };
      };
    });
  }

  /* This tab's draft, else the last one of any tab, else null. */
  async function read() {
    for (const storage of [sessionStorage, localStorage]) {
      try {
        let draft = JSON.parse(storage.getItem(DRAFT));
        if (draft && draft.large) draft = JSON.parse((await database("readonly", (store) => store.get(draft.large))) || "null");
        if (draft && draft.scenario) return draft;
      } catch {
        continue;
      }
    }
    return null;
  }

  function steps() {
    try {
      return JSON.parse(sessionStorage.getItem(STEPS)) || { past: [], future: [] };
    } catch {
      return { past: [], future: [] };
    }
  }

  /* Two tabs are two drafts: what another tab composes stays there, and after a reload each finds its own. */
  window.addEventListener("storage", (event) => event.key === DRAFT && event.stopImmediatePropagation());
  try {
    const own = sessionStorage.getItem(DRAFT);
    if (own) localStorage.setItem(DRAFT, own);
  } catch {
    /* A browser that keeps nothing says so at the first change. */
  }

  window.addEventListener("pagehide", () => {
    editor.finish();
    flush();
  });

  editor.keep = { write, read, steps };
})((window.gantryEditor = window.gantryEditor || {}));
