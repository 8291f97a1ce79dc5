/* What the scripts ask of Dash in its own names; these stand in this folder and nowhere else. */

interface ClientSide {
  no_update: unknown;
  set_props(id: string, props: object): void;
  callback_context: { triggered: { prop_id: string }[] };
  gantry?: Callbacks;
}
// biome-ignore lint/suspicious/noExplicitAny: Dash hands over whatever its components hold
type Callbacks = Record<string, (...values: any[]) => unknown>;

declare global {
  var dash_clientside: ClientSide;
}

/* Functions that Dash calls by name: ClientsideFunction("gantry", name). */
export function callbacks(functions: Callbacks) {
  globalThis.dash_clientside ??= {} as ClientSide; // Dash fills in the rest as it starts
  globalThis.dash_clientside.gantry = Object.assign(globalThis.dash_clientside.gantry ?? {}, functions);
}

/* A callback's answer that leaves its output as it is. */
export const noUpdate = () => globalThis.dash_clientside.no_update;

/* The properties of a component of the server's layout. */
export const setProps = (id: string, props: object) => globalThis.dash_clientside.set_props(id, props);

/* What made Dash call the present callback, as "id.property". */
export const triggered = () => globalThis.dash_clientside.callback_context.triggered;

/* Where the server's addresses begin, as "/". */
export function basePath(): string {
  const facts = document.getElementById("_dash-config")?.textContent;
  return facts ? JSON.parse(facts).requests_pathname_prefix : "/";
}
