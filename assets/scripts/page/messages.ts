/* What the page says to people, by key: `MODULE.NAME` of webapp/messages/en/scripts.toml or `shared.NAME` of
   shared.toml, with its {values} filled in. They stand before this script (webapp/http/bundle.py). */
declare global {
  var gantryMessages: Record<string, string> | undefined;
}

export function msg(key: string, values: Record<string, string | number> = {}) {
  const text = globalThis.gantryMessages?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (field, name: string) => String(values[name] ?? field));
}
