/* More charts: a click on a job, user, queue or node highlights it everywhere, a second one clears it. */
import { callbacks } from "../dash/dash";
import { toggleHighlight } from "../page/state";

/* A trace or a point says what it is of, as "kind:name". */
interface Clicked {
  points: { id?: string; curveNumber: number }[];
}
function pickedInChart(clicked: Clicked | null, figure: { data: { meta?: unknown }[] }) {
  const point = clicked?.points[0];
  const selection = point && (point.id || figure.data[point.curveNumber]?.meta);
  if (typeof selection === "string" && /^(job|user|queue|node):./.test(selection)) toggleHighlight(selection);
}

export const listen = () => callbacks({ pickedInChart });
