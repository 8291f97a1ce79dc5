/* What if: the preview. A canvas over each chart draws all of it, frame and letters too, where the exact figure draws it: plotly itself takes too long for
   something that moves. The canvas goes when the exact figure has come. */
(function (whatif) {
  "use strict";

  const WIDE_PX = 4;
  const TILE_PX = 8;
  const TICKS = 12;
  let timer = 0;
  let painted = 0;

  const graphs = () => Array.from(document.querySelectorAll("#cards .chart .js-plotly-plot")).filter((gd) => gd._fullLayout && gd._fullLayout.xaxis);

  function bytes(text, Kind) {
    const plain = atob(text);
    const found = new Uint8Array(plain.length);
    for (let at = 0; at < plain.length; at += 1) found[at] = plain.charCodeAt(at);
    return new Kind(found.buffer);
  }

  const drawnOf = (gd) => (gd.layout && gd.layout.meta && gd.layout.meta.drawn) || {};

  /* How the charts are looked at, for the server. */
  function look() {
    const [gd] = graphs();
    if (!gd) return null;
    const { xaxis } = gd._fullLayout;
    const [x0, x1] = xaxis.range.map((x) => Number(x) * 1000);
    const { whole } = drawnOf(gd);
    const all = !whole || x1 - x0 >= 0.999 * (whole.x1 - whole.x0);
    const { arranged, rows } = window.gantry.charts.view;
    return { window: { ...(all ? {} : { x0, x1 }), ...rows }, rows: arranged, plot: Math.round(xaxis._length), left: Math.round(xaxis._offset), highlight: whatif.highlight, dark: whatif.dark() };
  }

  const inSight = function (gd) {
    const { top, bottom } = gd.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  };

  /* all: charts out of sight too, which the values on the way need not. */
  async function show(answer, all) {
    clearTimeout(timer);
    const found = graphs().filter((gd) => !gd.closest(".card").querySelector(".badge-pinned"));
    if (found.length !== answer.charts.length) return;
    const pictures = await Promise.all(answer.charts.map(({ gantt }) => gantt.picture && loaded(gantt.picture)));
    found.forEach((gd, place) => {
      if (all || inSight(gd)) paint(gd, answer, answer.charts[place], pictures[place]);
      showFacts(gd.closest(".card"), answer.charts[place].facts);
    });
    painted += 1;
    whatif.at("whatif").dataset.painted = painted;
  }

  async function loaded(source) {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image;
  }

  /* Live numbers over a chart; what is not among them is dimmed, for it is of the run before. */
  function showFacts(card, facts) {
    for (const [name, text] of Array.from(card.querySelectorAll(".facts > div"), (entry) => [entry.querySelector("dt"), entry.querySelector("dd")])) {
      const known = name && text && facts[name.textContent];
      if (known && text.textContent !== known) text.textContent = known;
      if (!known && text) text.classList.add("whatif-old");
    }
  }

  function canvasOf(gd, height) {
    const room = gd.closest(".chart");
    let canvas = room.querySelector("canvas.whatif-cover");
    if (!canvas) {
      canvas = Object.assign(document.createElement("canvas"), { className: "whatif-cover" });
      canvas.setAttribute("aria-hidden", "true");
      room.append(canvas);
      watch(gd);
    }
    delete canvas.dataset.waiting;
    const ratio = window.devicePixelRatio || 1;
    const width = gd.clientWidth;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
      Object.assign(room.style, { height: `${height}px`, overflow: "hidden" });
    }
    const ink = canvas.getContext("2d");
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    return ink;
  }

  /* The panels where plotly has them; those below the Gantt chart move as it grows or shrinks. */
  function panels(gd, px) {
    const full = gd._fullLayout;
    const axes = Object.keys(full).filter((key) => /^yaxis\d*$/.test(key)).sort((a, b) => full[a]._offset - full[b]._offset).map((key) => full[key]);
    const more = px - axes[0]._length;
    const titles = (gd.layout.annotations || []).map(({ text }) => text || "");
    return axes.map((axis, place) => ({ top: axis._offset + (place ? more : 0), px: place ? axis._length : px, title: titles[place] || "", more }));
  }

  function paint(gd, answer, chart, image) {
    const { xaxis } = gd._fullLayout;
    const frame = panels(gd, answer.rows.px);
    const [left, plot] = [xaxis._offset, xaxis._length];
    const height = gd.clientHeight + frame[0].more;
    const ink = canvasOf(gd, height);
    const facts = whatif.facts[whatif.dark() ? "dark" : "light"];
    const { look } = facts;
    ink.fillStyle = look.paper;
    ink.fillRect(0, 0, gd.clientWidth, height);
    ink.textBaseline = "middle";
    const bottom = frame[frame.length - 1].top + frame[frame.length - 1].px;
    times(ink, answer.window, left, plot, frame, bottom, facts);
    for (const [place, panel] of frame.entries()) {
      heading(ink, panel.title, left, panel.top, facts);
      if (!place) gantt(ink, answer.rows, chart.gantt, image, left, plot, panel, facts);
      else level(ink, panel, chart, left, plot, facts);
      ink.strokeStyle = look.line;
      ink.lineWidth = 1;
      ink.beginPath();
      ink.moveTo(left - 0.5, panel.top);
      ink.lineTo(left - 0.5, panel.top + panel.px);
      if (place === frame.length - 1) ink.lineTo(left + plot, Math.round(bottom) + 0.5);
      ink.stroke();
    }
  }

  function heading(ink, text, left, top, { look, font }) {
    ink.font = `600 12px ${font}`;
    ink.fillStyle = look.ink;
    ink.textAlign = "left";
    ink.fillText(text, left + 2, top - 12);
  }

  /* The time axis, with the steps that plotly takes: 2, 5 or 10 times a power of ten. */
  function times(ink, [x0, x1], left, plot, frame, bottom, { look, font }) {
    const rough = (x1 - x0) / TICKS;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9));
    ink.font = `11px ${font}`;
    ink.textAlign = "center";
    ink.lineWidth = 1;
    for (let tick = Math.ceil(x0 / step - 1e-9) + 0; tick * step <= x1 * (1 + 1e-9); tick += 1) {
      const x = Math.round(left + ((tick * step - x0) / (x1 - x0)) * plot) + 0.5;
      ink.strokeStyle = look.grid;
      ink.beginPath();
      for (const { top, px } of frame) {
        ink.moveTo(x, top);
        ink.lineTo(x, top + px);
      }
      ink.stroke();
      ink.strokeStyle = look.line;
      ink.beginPath();
      ink.moveTo(x, bottom);
      ink.lineTo(x, bottom + 4);
      ink.stroke();
      ink.fillStyle = look.muted;
      ink.fillText((tick * step + 0).toLocaleString("en", { maximumFractionDigits: 6 }), x, bottom + 13);
    }
    ink.fillStyle = look.muted;
    ink.fillText("time (s)", left + plot / 2, bottom + 29);
  }

  function gantt(ink, rows, bars, image, left, plot, { top, px }, facts) {
    const { look, font } = facts;
    const y = (row) => top + ((row - rows.top) / (rows.bottom - rows.top)) * px;
    ink.save();
    ink.beginPath();
    ink.rect(0, top, left + plot, px);
    ink.clip();
    const line = (at, colour) => {
      ink.fillStyle = colour;
      ink.fillRect(left, Math.round(y(at)), plot, 1);
    };
    for (const at of rows.lines) line(at, look.grid);
    ink.font = `11px ${font}`;
    ink.fillStyle = look.muted;
    ink.textAlign = "right";
    rows.names.forEach((name, place) => ink.fillText(name, left - 3, y(rows.at[place]) + 1));
    if (image) ink.drawImage(image, left, y(bars.from), plot, y(bars.until) - y(bars.from));
    else rectangles(ink, bars, rows, left, plot, y, facts);
    for (const at of rows.racks) line(at, look.muted);
    ink.restore();
  }

  function rectangles(ink, bars, rows, left, plot, y, facts) {
    const [x0, x1, row] = [bars.x0, bars.x1, bars.row].map((text) => bytes(text, Uint16Array));
    const kind = bytes(bars.kind, Uint8Array);
    const tall = rows.row * (1 - Math.min(1.6 / rows.row, 0.2));
    const scale = plot / 65535;
    let wide = 0;
    for (let bar = 0; bar < kind.length; bar += 1) wide += x1[bar] - x0[bar];
    const edge = kind.length && (wide * scale) / kind.length >= WIDE_PX && !kind.some((one) => one & 16) ? 0.4 : 0;
    for (const one of new Set(kind)) {
      ink.globalAlpha = one & 16 ? facts.dim : 1;
      ink.fillStyle = one & 8 ? pattern(ink, facts.killed.under[one & 7], "x", facts.killed.colour) : filled(ink, facts.phases[one & 7]);
      for (let bar = 0; bar < kind.length; bar += 1) {
        if (kind[bar] === one) ink.fillRect(left + x0[bar] * scale + edge, y(row[bar]) - tall / 2, Math.max((x1[bar] - x0[bar]) * scale - 2 * edge, 0.5), tall);
      }
    }
    ink.globalAlpha = 1;
  }

  const filled = (ink, { colour, hatch, over }) => (hatch ? pattern(ink, colour, hatch, over) : colour);
  const tiles = new Map();

  function pattern(ink, under, hatch, over) {
    const key = [under, hatch, over].join();
    if (!tiles.has(key)) {
      const tile = Object.assign(document.createElement("canvas"), { width: TILE_PX, height: TILE_PX });
      const brush = tile.getContext("2d");
      Object.assign(brush, { fillStyle: under, strokeStyle: over, lineWidth: hatch === "x" ? 1.8 : 1.3 });
      brush.fillRect(0, 0, TILE_PX, TILE_PX);
      brush.beginPath();
      for (const shift of [-TILE_PX, 0, TILE_PX]) {
        if (hatch !== ".") brush.moveTo(shift, TILE_PX), brush.lineTo(shift + TILE_PX, 0);
        if (hatch === "x") brush.moveTo(shift, 0), brush.lineTo(shift + TILE_PX, TILE_PX);
      }
      brush.stroke();
      if (hatch === ".") {
        brush.fillStyle = over;
        for (const [x, y] of [[1, 1], [5, 1], [1, 5], [5, 5]]) brush.fillRect(x, y, 1.8, 1.8);
      }
      tiles.set(key, tile);
    }
    return ink.createPattern(tiles.get(key), "repeat");
  }

  /* A panel by its title: a curve, the areas, or nothing until the exact figure comes. */
  function level(ink, panel, chart, left, plot, facts) {
    const first = panel.title.split(" ")[0];
    const curve = chart.curves.find(({ title }) => title.split(" ")[0] === first);
    const of = curve || (panel.title === chart.areas.title && chart.areas);
    if (!of) return;
    ink.font = `11px ${facts.font}`;
    ink.fillStyle = facts.look.muted;
    ink.textAlign = "right";
    for (const [at, text] of of.ticks) ink.fillText(text, left - 3, panel.top + (1 - at) * panel.px + 1);
    if (curve) steps(ink, curve, left, plot, panel, facts.look);
    else areas(ink, of, left, plot, panel, facts);
  }

  function steps(ink, curve, left, plot, { top, px }, look) {
    const [low, high] = [bytes(curve.low, Uint8Array), bytes(curve.high, Uint8Array)];
    const y = (value) => top + (1 - value / 255) * px;
    if (curve.highlighted) under(ink, bytes(curve.highlighted, Uint8Array), left, plot, top, px, look.muted, 0.45);
    else under(ink, high, left, plot, top, px, look.ink, 0.14);
    ink.fillStyle = look.ink;
    const wide = plot / high.length;
    for (let at = 0; at < high.length; at += 1) ink.fillRect(left + at * wide, y(high[at]) - 0.7, wide + 0.2, y(low[at]) - y(high[at]) + 1.4);
    ink.strokeStyle = look.muted;
    ink.setLineDash([9, 9]);
    ink.beginPath();
    ink.moveTo(left, top + (1 - curve.full) * px);
    ink.lineTo(left + plot, top + (1 - curve.full) * px);
    ink.stroke();
    ink.setLineDash([]);
  }

  function under(ink, edge, left, plot, top, px, style, alpha) {
    const wide = plot / edge.length;
    ink.globalAlpha = alpha;
    ink.fillStyle = style;
    ink.beginPath();
    ink.moveTo(left, top + px);
    for (let at = 0; at < edge.length; at += 1) {
      const y = top + (1 - edge[at] / 255) * px;
      ink.lineTo(left + at * wide, y);
      ink.lineTo(left + (at + 1) * wide, y);
    }
    ink.lineTo(left + plot, top + px);
    ink.fill();
    ink.globalAlpha = 1;
  }

  /* From the upper edge of all parts down: each covers what lies under it, so that no seam shows. */
  function areas(ink, { parts, edges }, left, plot, { top, px }, facts) {
    for (let at = parts.length - 1; at >= 0; at -= 1) under(ink, bytes(edges[at], Uint8Array), left, plot, top, px, filled(ink, facts.parts[parts[at]]), 1);
  }

  /* The exact figure of a chart has come once its figure is another than the one that was covered. */
  function watch(gd) {
    if (gd.gantryPreviewed) return;
    gd.gantryPreviewed = true;
    gd.on("plotly_afterplot", () => {
      const canvas = gd.closest(".chart") && gd.closest(".chart").querySelector("canvas.whatif-cover");
      if (canvas && canvas.dataset.waiting && drawnOf(gd) !== canvas.gantryDrawn) uncover(canvas);
    });
  }

  function uncover(canvas) {
    Object.assign(canvas.parentElement.style, { height: "", overflow: "" });
    canvas.remove();
    for (const old of document.querySelectorAll(".whatif-old")) old.classList.remove("whatif-old");
  }

  const covers = () => document.querySelectorAll("canvas.whatif-cover");

  /* The slider rests: each cover goes when its exact figure is there, all of them after a while. */
  function wait(ms) {
    for (const gd of graphs()) {
      const canvas = gd.closest(".chart").querySelector("canvas.whatif-cover");
      if (canvas) Object.assign(canvas, { gantryDrawn: drawnOf(gd) }).dataset.waiting = "yes";
    }
    clearTimeout(timer);
    timer = setTimeout(clear, ms);
  }

  function clear() {
    clearTimeout(timer);
    covers().forEach(uncover);
  }

  whatif.draw = { look, show, wait, clear };
})((window.gantryWhatif = window.gantryWhatif || {}));
