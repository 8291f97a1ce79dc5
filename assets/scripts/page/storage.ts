/* What the browser keeps by a name, for this page for ever or for this tab; a browser that keeps nothing
   opens as the first time. */
export function kept<T>(name: string, storage: () => Storage = () => localStorage): T | null {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    return null;
  }
}

export function keptNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/* null: it is forgotten. Whether that was done: there may be no room. */
export function keep(name: string, value: unknown, storage: () => Storage = () => localStorage) {
  try {
    if (value === null) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
