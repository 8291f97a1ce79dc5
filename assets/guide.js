/* The pages of the schedulers, and the dialog that composes one. */
const guide = gantry.chartSize(".guide", ".case-room", "guide-look");

/* What the sliders of the dialog say: a weight with its sign. */
const weights = (values) =>
  values.map((value) => (value > 0 ? `+${value}` : String(value ?? "").replace("-", "\u2212")));

gantry.callbacks({ guideLook: guide.look, weights, opened: () => true });
