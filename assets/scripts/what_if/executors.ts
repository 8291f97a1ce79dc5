/* A Spark application over the number of its executors, on its page: begun by a button or an address, and
   dropped once another job or result is shown. A click on a point runs the scenario with so many. */
import { callbacks, setProps } from "../dash/dash";
import { the, when } from "../page/dom";
import { change, on, type State, same, state } from "../page/state";
import * as curve from "./curve";

export type Application = { job: string; scheduler: number };

let pending: Application | null = null; // what an address has, until its run is there

function ask({ job, scheduler }: Application) {
  const { result, executors } = state();
  pending = null;
  if (!result) return;
  const asked = { key: result.key, job, scheduler };
  if (same(executors, asked)) begin(asked); // it was cancelled, or has failed
  change({ executors: asked });
}

function begin(executors: State["executors"]) {
  setProps("executors-ask", { data: executors });
  if (executors) requestAnimationFrame(() => the("executors").scrollIntoView({ block: "start" }));
}

function follow({ executors, job, result }: State) {
  if (pending && result && job?.job === pending.job) ask(pending);
  else if (executors && (executors.key !== result?.key || executors.job !== job?.job))
    change({ executors: null });
}

/* Both curves hear clicks. */
function drawn(room: string) {
  const plot = curve.plotIn(room);
  if (!plot || plot.dataset.followed) return;
  plot.dataset.followed = "yes";
  plot.on("plotly_click", ({ points: [point] }) => {
    if (point) setProps("executors-point", { data: Number(point.x) });
  });
}

/* What an address has is begun once its run is there; the page of its job is open. */
export function opening(given: Application | null): Partial<State> {
  pending = given;
  return given ? { job: { ...given } } : {};
}

/* What an address says of it: see url_view.py. */
export function written() {
  const { executors } = state();
  return executors ? `${executors.scheduler}:${executors.job}` : "";
}

export function listen() {
  on(["result", "job"], follow);
  on(["executors"], ({ executors }) => begin(executors));
  callbacks({
    executorsAsked(clicks: number | null, place: string | null) {
      const { job } = state();
      if (clicks && job) ask({ job: job.job, scheduler: Number(place ?? job.scheduler) });
    },
    executorsDrawn(children: object[]) {
      if (!children.length) return;
      for (const room of ["#executors-own-graph", "#executors-others-graph"])
        requestAnimationFrame(() =>
          when(
            () => curve.plotIn(room),
            () => drawn(room),
          ),
        );
    },
  });
}
