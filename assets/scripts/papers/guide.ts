/* The pages of the schedulers, and the dialog that composes one. */
import { callbacks } from "../dash/dash";
import { createElement } from "../dash/libraries";
import { chartSize } from "../page/chart_size";

/* What the sliders of the dialog say: a weight with its sign. */
const weights = (values: (number | null)[]) =>
  values.map((value) =>
    value !== null && value > 0 ? `+${value}` : String(value ?? "").replace("-", "\u2212"),
  );

/* A formula; the markup is the server's own (webapp/panels/papers/mathml.py). */
const MathML = ({ markup }: { markup: string }) =>
  createElement("span", { dangerouslySetInnerHTML: { __html: markup } });

export function listen() {
  Object.assign(window, { gantry_papers: { MathML } });
  const guide = chartSize(".guide", ".case-room", "guide-look");
  guide.listen();
  callbacks({ guideLook: guide.look, weights, opened: () => true });
}
