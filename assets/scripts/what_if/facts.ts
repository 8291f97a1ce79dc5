/* What sliders and studies are, as webapp/panels/what_if reads and writes them. */
import type { Asked } from "../run/result";

export interface Slider {
  path: string;
  value: number | string | null; // null where none is given
  first: number;
  last: number;
  step: number;
}

export type Change = { path: string; value: number | string };
export type Axis = Omit<Slider, "value"> & { present: Slider["value"] };

/* A study as it was asked for. */
export interface Study {
  key: string;
  x: Axis;
  y: Axis | null;
  held: Change[];
  seeds: number;
  jitter: number;
  values: number;
}

/* A study as an address or a file has it (webapp/url/study_url.py). */
export interface StudyView extends Pick<Study, "seeds" | "jitter" | "values"> {
  metric: string;
  axes: number; // how many of the sliders are moved, the first ones
  sliders: Slider[];
}

/* What can be turned; a limit that there is not is left out. */
export interface Tunable extends Slider {
  label: string;
  title: string;
  text: string;
  unit: string;
  help: string;
  whole: boolean;
  low?: number;
  high?: number;
  choices: string[];
}

/* What the server offers to turn (webapp/panels/what_if/slider_text.py); key: null where it no longer has the
   run. */
export interface Offered {
  key: string | null;
  tunables: Tunable[];
  hint: string;
  moving?: boolean; // whether the charts follow
}

/* What the sliders start from. */
export type Base = Offered & { key: string; asked: Asked };
