/* What the page loads. No module does anything as it is loaded: each has listen(), and they are called here,
   in the order in which they hear of one change. An error in one leaves the others. */

import * as optimum from "./compare/optimum";
import * as tables from "./compare/tables";
import * as connection from "./dash/connection";
import * as libraries from "./dash/libraries";
import * as costly from "./decision/costly";
import * as decision from "./decision/decision";
import * as checks from "./editor/check";
import * as conversion from "./editor/conversion";
import * as drafts from "./editor/draft";
import * as editor from "./editor/editor";
import * as files from "./editor/files";
import * as lines from "./editor/lines";
import * as measured from "./editor/measured";
import * as queues from "./editor/queues";
import * as table from "./editor/table";
import * as author from "./exercises/author/author";
import * as course from "./exercises/course";
import * as exercise from "./exercises/exercise";
import * as jobs from "./jobs/follow";
import { at, when } from "./page/dom";
import * as embed from "./page/embed";
import * as look from "./page/look";
import * as menus from "./page/menus";
import * as mirror from "./page/mirror";
import * as save from "./page/save";
import * as share from "./page/share";
import { asked, same, state } from "./page/state";
import * as workbench from "./page/workbench";
import * as guide from "./papers/guide";
import * as map from "./papers/map";
import * as papers from "./papers/papers";
import * as sensitivity from "./papers/sensitivity";
import * as questions from "./questions/questions";
import * as replay from "./replay/replay";
import * as otherScenario from "./run/other_scenario";
import * as run from "./run/run";
import * as charts from "./timeline/charts";
import * as gestures from "./timeline/gestures";
import * as keys from "./timeline/keys";
import * as lanes from "./timeline/lanes";
import * as play from "./timeline/play";
import * as pointer from "./timeline/pointer";
import * as present from "./timeline/present";
import * as ruler from "./timeline/ruler";
import * as search from "./timeline/search";
import * as signals from "./timeline/signals";
import * as offer from "./tour/offer";
import * as curve from "./what_if/curve";
import * as executors from "./what_if/executors";
import * as loseNode from "./what_if/lose_node";
import * as best from "./what_if/search";
import * as sliders from "./what_if/sliders";
import * as study from "./what_if/study";
import * as studyView from "./what_if/study_view";

const { dataset } = document.currentScript as HTMLScriptElement; // it says where libraries are
const parts = {
  libraries: { listen: () => libraries.listen(dataset) },
  ...{
    charts,
    connection,
    jobs,
    course,
    exercise,
    author,
    costly,
    decision,
    editor,
    checks,
    drafts,
    files,
    conversion,
    lines,
    queues,
    table,
  },
  ...{ embed, gestures, guide, keys, lanes, look, loseNode, measured, menus, mirror, optimum, papers, map },
  sensitivity,
  ...{ play, pointer, present, questions, replay, ruler, run, save, search, share, signals, tables },
  ...{ otherScenario, sliders, curve, executors, best, study, studyView, workbench },
  offer: { listen: () => offer.listen(dataset) },
};
for (const [name, part] of Object.entries(parts)) {
  try {
    part.listen();
  } catch (error) {
    console.error(`${name}:`, error);
  }
}

// A page comes after its address: the section that an address names is gone to once it is there.
if (location.hash.length > 1)
  when(
    () => at(location.hash.slice(1)),
    () => location.replace(location.hash),
  );

/* For tests and consoles. */
const gantry = {
  get state() {
    return state();
  },
  asked,
  same,
  charts,
  lanes,
  openTab: workbench.openTab,
  steps: drafts.steps,
  commit: editor.commitWhole,
};
Object.assign(window, { gantry });
