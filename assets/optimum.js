/* The search for the optimum: of which result it is asked, and the way of what it found among the charts. */
const { at } = gantry;
let asked = null;

gantry.OPTIMUM = "optimum"; // the name of the run, which no scheduler made

const ask = (next) => gantry.put("optimum-ask", { data: (asked = next) });

document.addEventListener("click", function ({ target }) {
  const { result } = gantry.state;
  if (!target.closest("#optimum-run") || !result) return;
  ask({ key: result.key, seconds: Number(at("optimum-seconds").value), at: Date.now() });
  at("optimum").scrollIntoView({ block: "start" }); // how far it is stands below
});
/* What is looked for of another result is ended; what was found of it says nothing of this one. */
gantry.on(["result"], function ({ result }, before) {
  if (asked && asked.key !== result.key) ask(null);
  else if (before.result && before.result.optimum && !result.optimum)
    ["optimum-says", "optimum-way"].forEach((id) => gantry.put(id, { children: [] }));
});
gantry.callbacks({
  optimumFound(result_) {
    asked = null;
    const { result } = gantry.state;
    if (!result_ || !result) return;
    if (result_.key !== result.key)
      return gantry.put("optimum-says", { children: gantry.msg("optimum.other_result") });
    gantry.change({ optimum: result_.id });
    gantry.run.again();
  },
});
