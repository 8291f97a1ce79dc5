/* The cluster as boxes, one a node: left its memory, right its vcores, filled from the bottom by the containers in the colours of their phases. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const KEYS = ["master", "map", "shuffle", "waiting", "reduce"];
  const [MOST_PX, MOST_HIGH_PX, LEAST_PX] = [104, 84, 3];
  const ROOM_PX = 120; // height of all boxes of a scheduler, unless they would be lower than LEAST_PX
  const ALONE_PX = 210; // the same if only one scheduler is shown
  const NAME_PX = 14;
  const NAMED_PX = 44; // from this width on a box has a name over it
  const HALVED_PX = 6; // a narrower box shows the larger of both shares alone
  const PARTED_PX = 4; // containers at least this high are parted by a line
  const MOST_LISTED = 200; // nodes whose content stands in the canvas's data
  const MOST_LINES = 8;
  const DIM = 0.22;

  const memory = (mb) => (mb >= 1024 ? `${(mb / 1024).toLocaleString("en", { maximumFractionDigits: 1 })} GB` : `${mb.toLocaleString("en")} MB`);
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  /* The page's colours as the browser resolves them, light or dark. */
  const palette = function (near) {
    const probe = document.createElement("span");
    near.append(probe);
    const colour = function (name) {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    const found = { line: colour("line"), paper: colour("paper"), ink: colour("ink"), muted: colour("muted"), phases: KEYS.map((key) => colour(`phase-${key}`)) };
    probe.remove();
    found.phases[3] = striped(found.phases[3], found.phases[2]);
    return found;
  };

  /* Waiting for maps is hatched with the colour of shuffle, as on the charts. */
  const striped = function (under, over) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 5;
    const pen = tile.getContext("2d");
    pen.fillStyle = under;
    pen.fillRect(0, 0, 5, 5);
    pen.fillStyle = over;
    for (let i = 0; i < 5; i++) pen.fillRect(i, 4 - i, 1, 1);
    return pen.createPattern(tile, "repeat");
  };

  /* The largest boxes that fit: their columns, size and gaps in pixels. */
  const arranged = function (nodes, width, room) {
    for (let columns = 1; ; columns++) {
      const rough = (width + 1) / columns;
      const gap = rough >= 30 ? 7 : rough >= 12 ? 3 : 1;
      const wide = Math.min(Math.floor((width + gap) / columns - gap), MOST_PX);
      const name = wide >= NAMED_PX ? NAME_PX : 0;
      const high = name ? Math.min(Math.round(wide * 0.85), MOST_HIGH_PX) : wide;
      const across = Math.max(Math.floor((width + gap) / (Math.max(wide, LEAST_PX) + gap)), columns);
      const rows = Math.ceil(nodes / across);
      if (rows * (high + name + gap) - gap <= room || wide <= LEAST_PX) return { columns: across, wide: Math.max(wide, LEAST_PX), high: Math.max(high, LEAST_PX), name, gap, rows };
    }
  };

  /* run: of gantry.playRun. The figure is put into `room`; draw(false) draws what has changed, draw(true) everything. */
  gantry.playNodes = function (room, run, alone) {
    const make = (kind, className, parent) => {
      const node = document.createElement(kind);
      node.className = className;
      parent.append(node);
      return node;
    };
    const figure = make("figure", "play-run", room);
    const head = make("figcaption", "", figure);
    make("strong", "", head).textContent = run.scheduler;
    const facts = make("div", "quiet play-facts", head);
    facts.title = "Running containers and waiting requests";
    const frame = make("div", "play-frame", figure);
    const canvas = make("canvas", "", frame);
    const tip = make("div", "play-tip", frame);
    const caption = make("p", "play-happened", figure);
    canvas.setAttribute("role", "img");
    tip.hidden = true;
    const pen = canvas.getContext("2d");
    let [plan, colours, highlightedJobs, pointed] = [null, null, null, null];

    /* What all names begin with says nothing where there is no room for it. */
    let [prefix, cut] = [0, false];
    while (run.nodes.length > 1 && run.nodes.every((name) => name.length > prefix + 1 && name[prefix] === run.nodes[0][prefix])) prefix++;

    const sized = function () {
      const width = Math.max(frame.clientWidth, 60);
      plan = arranged(run.nodes.length, width, alone ? ALONE_PX : ROOM_PX);
      const height = plan.rows * (plan.high + plan.name + plan.gap) - plan.gap;
      const scale = window.devicePixelRatio || 1;
      Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      colours = palette(frame);
    };

    const place = (node) => [(node % plan.columns) * (plan.wide + plan.gap), Math.floor(node / plan.columns) * (plan.high + plan.name + plan.gap) + plan.name];

    const shares = (node, resource) => run.holds(node).map((container) => run.size(container, resource) / run[resource][node]);

    /* One column of a box; returns how much of it is full. What exceeds the capacity, as vcores may under resources=memory, is marked by a line at it. */
    const column = function (node, left, top, wide, parts) {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const scale = plan.high / Math.max(total, 1);
      let below = 0;
      run.holds(node).forEach((container, number) => {
        const from = Math.round(below * scale);
        below += parts[number];
        const upto = Math.round(below * scale);
        pen.globalAlpha = highlightedJobs && !highlightedJobs.has(run.job[container]) ? DIM : 1;
        pen.fillStyle = colours.phases[run.phase(container)];
        const line = upto - from >= PARTED_PX ? 1 : 0;
        pen.fillRect(left, top + plan.high - upto + line, wide, upto - from - line);
      });
      pen.globalAlpha = 1;
      pen.fillStyle = colours.ink;
      if (total > 1 + 1e-9) pen.fillRect(left, top + plan.high - Math.round(scale), wide, 1);
      return total;
    };

    const box = function (node) {
      const [left, top] = place(node);
      const inner = plan.wide >= 12 ? 1 : 0;
      pen.clearRect(left, top, plan.wide, plan.high);
      pen.fillStyle = colours.line;
      pen.globalAlpha = inner ? 1 : 0.45;
      pen.fillRect(left, top, plan.wide, plan.high);
      pen.globalAlpha = 1;
      if (inner) pen.clearRect(left + 1, top + 1, plan.wide - 2, plan.high - 2);
      const [memories, cores] = [shares(node, "memory"), shares(node, "vcores")];
      if (plan.wide < HALVED_PX) return column(node, left, top, plan.wide, memories.map((part, number) => Math.max(part, cores[number])));
      const half = Math.floor((plan.wide - 2 * inner - 1) / 2);
      column(node, left + inner, top, half, memories);
      return column(node, left + plan.wide - inner - half, top, half, cores);
    };

    const names = function () {
      pen.fillStyle = colours.muted;
      pen.font = "11px system-ui, sans-serif";
      pen.textBaseline = "alphabetic";
      cut = prefix > 0 && !run.nodes.every((name) => pen.measureText(name).width <= plan.wide);
      run.nodes.forEach((name, node) => {
        const [left, top] = place(node);
        pen.fillText(fitting(cut ? name.slice(prefix) : name, plan.wide), left, top - 3);
      });
    };

    const fitting = function (name, wide) {
      if (pen.measureText(name).width <= wide) return name;
      for (let cut = name.length - 1; cut > 2; cut--) {
        const text = `${name.slice(0, Math.ceil(cut / 2) - 1)}…${name.slice(name.length - Math.floor(cut / 2))}`;
        if (pen.measureText(text).width <= wide) return text;
      }
      return "";
    };

    const draw = function (whole, still) {
      if (whole || !plan) sized();
      if (whole) pen.clearRect(0, 0, canvas.width, canvas.height);
      const changed = run.drawn();
      (whole ? run.nodes.map((_, node) => node) : changed).forEach(box);
      if (whole && plan.name) names();
      const [runs, waits] = [run.running(), run.waiting()];
      facts.textContent = `${count(runs, "container")}, ${waits.toLocaleString("en")} waiting`;
      caption.textContent = run.happened();
      Object.assign(figure.dataset, { running: runs, waiting: waits });
      if (still) {
        canvas.setAttribute("aria-label", `Nodes under ${run.scheduler}: ${spoken()}`);
        figure.dataset.held = run.nodes.slice(0, MOST_LISTED).map((_, node) => `${used(node, "memory")}/${used(node, "vcores")}`).join(",");
      }
      if (pointed !== null) showTip();
    };

    const used = (node, resource) => run.holds(node).reduce((sum, container) => sum + run.size(container, resource), 0);

    const spoken = function () {
      const busy = run.nodes.filter((_, node) => run.holds(node).length).length;
      return `${busy.toLocaleString("en")} of ${count(run.nodes.length, "node")} at work, ${count(run.running(), "container")} running, ${count(run.waiting(), "request")} waiting. ${run.happened()}`;
    };

    /* What the pointed node holds, beside the pointer. */
    const showTip = function () {
      const { node, x, y } = pointed;
      const held = run.holds(node);
      tip.replaceChildren();
      make("strong", "", tip).textContent = run.nodes[node];
      const full = [`${memory(used(node, "memory"))} of ${memory(run.memory[node])}`, `${used(node, "vcores")} of ${count(run.vcores[node], "vcore")}`];
      make("div", "quiet", tip).textContent = `${full.join(", ")} in use`;
      for (const container of held.slice(0, MOST_LINES)) {
        const line = make("div", "play-held", tip);
        make("span", `swatch swatch-${KEYS[run.phase(container)]}`, line);
        make("span", "", line).textContent = `${run.task(container)}: ${memory(run.size(container, "memory"))}, ${count(run.size(container, "vcores"), "vcore")}`;
      }
      if (held.length > MOST_LINES) make("div", "quiet", tip).textContent = `and ${held.length - MOST_LINES} more`;
      tip.hidden = false;
      const left = Math.min(Math.max(x - tip.offsetWidth / 2, 0), Math.max(frame.clientWidth - tip.offsetWidth, 0));
      tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(y + 14)}px)`;
    };

    const point = function (event) {
      const at = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - at.left, event.clientY - at.top];
      const [column, row] = [Math.floor(x / (plan.wide + plan.gap)), Math.floor(y / (plan.high + plan.name + plan.gap))];
      const node = row * plan.columns + column;
      const inside = column >= 0 && column < plan.columns && row >= 0 && node < run.nodes.length;
      pointed = inside ? { node, x, y } : null;
      if (inside) showTip();
      else tip.hidden = true;
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    canvas.addEventListener("pointerleave", () => {
      pointed = null;
      tip.hidden = true;
    });

    /* jobs: a set of their indices, the others are dimmed; null for all. */
    const highlight = function (jobs) {
      highlightedJobs = jobs;
      draw(true, true);
    };

    const reading = function () {
      if (plan.wide < HALVED_PX) return "A box a node: the larger of its shares of memory and vcores in use.";
      return `A box a node: left its memory, right its vcores; empty is free.${cut ? ` All their names begin with ${run.nodes[0].slice(0, prefix)}` : ""}`;
    };

    return { figure, draw, reading, highlight, spoken: () => `${run.scheduler}: ${spoken()}` };
  };
})();
