/* The pages of the schedulers, and the dialog that composes one. */
import { callbacks } from "../dash/dash";
import { chartSize } from "../page/chart_size";

/* What the sliders of the dialog say: a weight with its sign. */
const weights = (values: (number | null)[]) =>
  values.map((value) =>
    value !== null && value > 0 ? `+${value}` : String(value ?? "").replace("-", "\u2212"),
  );

export function listen() {
  const guide = chartSize(".guide", ".case-room", "guide-look");
  guide.listen();
  callbacks({ guideLook: guide.look, weights, opened: () => true });
}
