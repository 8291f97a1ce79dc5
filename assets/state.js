/* The page's state: it lives here once. Others read `gantry.state`, change it by `gantry.change` and hear
   of changes by `gantry.on`; the address, the browser's storage and the stores that callbacks of the
   server read are mirrors of it, written here and nowhere else.

   Every script is the body of a function whose argument is `gantry` (webapp/services/bundle.py), so that
   its names are its own. */
const listeners = [];

gantry.state = {};
gantry.editor = {}; // what the scripts of the editor, and those of the sliders, share among themselves
gantry.whatif = { study: {} };
gantry.follow = []; // what is called on each frame in which the charts' window moves

/* Whether two JSON values say the same, in whatever order their keys stand. */
gantry.same = function (a, b) {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b))
    return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => gantry.same(a[key], b[key]));
};

/* Merge these values; listeners of a key that differs hear once, after all are set. */
gantry.change = function (values) {
  const before = gantry.state;
  const changed = Object.keys(values).filter((key) => !gantry.same(before[key], values[key]));
  if (!changed.length) return;
  gantry.state = { ...before, ...values };
  for (const { keys, hear } of listeners)
    if (keys.some((key) => changed.includes(key))) hear(gantry.state, before);
};

/* This value, or none where it is the present one. */
gantry.toggle = (key, value) => gantry.change({ [key]: value === gantry.state[key] ? null : value });

/* hear(state, before) after each change of one of these keys. */
gantry.on = (keys, hear) => listeners.push({ keys, hear });

/* Functions that Dash calls by name: ClientsideFunction("gantry", name). */
gantry.callbacks = (functions) => Object.assign(((window.dash_clientside ??= {}).gantry ??= {}), functions);
gantry.none = () => window.dash_clientside.no_update;
gantry.put = (id, props) => window.dash_clientside.set_props(id, props);
