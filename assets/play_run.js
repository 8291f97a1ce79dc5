/* A run as the page plays it: what the server packed (webapp/services/playback.py), and a clock that goes to any instant, forwards or backwards. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const TYPES = { i1: Int8Array, i4: Int32Array, f8: Float64Array };
  const MASTER = 0;
  const REDUCE = 1;
  const KILLED = 1;
  const [ENDS, TURNS, STARTS, BLINKS] = [0, 1, 2, 3]; // in the order of one instant; what begins and ends in one never runs
  const PHASES = { master: 0, map: 1, shuffle: 2, waiting: 3, reduce: 4 };

  const seconds = (ms) => `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 3 })} s`;

  /* How many of the ascending values are at most x. */
  const upTo = function (values, x) {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const decode = function (buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const body = Math.ceil((4 + length) / 8) * 8;
    for (const [name, { kind, offset, length: count }] of Object.entries(head.arrays)) head[name] = new TYPES[kind](buffer, body + offset, count);
    return head;
  };

  /* Every change of what runs, by time: three typed arrays of one length. */
  const changesOf = function (run) {
    const [time, who, what] = [[], [], []];
    const add = (at, container, kind) => (time.push(at), who.push(container), what.push(kind));
    for (let i = 0; i < run.start.length; i++) {
      if (run.end[i] <= run.start[i]) {
        add(run.start[i], i, BLINKS);
        continue;
      }
      add(run.start[i], i, STARTS);
      for (const name of ["wait", "again", "leave"]) if (run[name][i] > run.start[i] && run[name][i] < run.end[i]) add(run[name][i], i, TURNS);
      add(run.end[i], i, ENDS);
    }
    const order = Uint32Array.from(time.keys()).sort((a, b) => time[a] - time[b] || what[a] - what[b] || a - b);
    return { time: Float64Array.from(order, (i) => time[i]), who: Int32Array.from(order, (i) => who[i]), what: Uint8Array.from(order, (i) => what[i]) };
  };

  gantry.playRun = function (buffer) {
    const run = decode(buffer);
    const changes = changesOf(run);
    const requested = Float64Array.from(run.requested).sort();
    const starts = Float64Array.from(run.start).sort();
    const unserved = Float64Array.from(run.unserved).sort();
    const decisions = Float64Array.from(new Set(starts), (time) => time + run.base);
    const onNode = run.nodes.map(() => []);
    const dirty = new Set();
    let done = 0; // changes up to now
    let now = -Infinity; // ms after base
    let running = 0;

    const put = function (container) {
      onNode[run.node[container]].push(container);
      running++;
    };
    const take = function (container) {
      const there = onNode[run.node[container]];
      there.splice(there.indexOf(container), 1);
      running--;
    };
    const touch = function (place, forwards) {
      const container = changes.who[place];
      dirty.add(run.node[container]);
      if (changes.what[place] === (forwards ? STARTS : ENDS)) put(container);
      if (changes.what[place] === (forwards ? ENDS : STARTS)) take(container);
    };

    /* Go to an instant in ms; what is dirty until `drawn` asks for it has changed. */
    const go = function (ms) {
      now = ms - run.base;
      while (done < changes.time.length && changes.time[done] <= now) touch(done++, true);
      while (done > 0 && changes.time[done - 1] > now) touch(--done, false);
    };

    const drawn = function () {
      const found = Array.from(dirty);
      dirty.clear();
      return found;
    };

    /* The containers on a node, those placed first at the bottom. */
    const holds = (node) => onNode[node].sort((a, b) => a - b);

    const phase = function (container) {
      if (run.kind[container] === MASTER) return PHASES.master;
      if (run.kind[container] !== REDUCE) return PHASES.map;
      if (now >= run.leave[container]) return PHASES.reduce;
      return now >= run.wait[container] && now < run.again[container] ? PHASES.waiting : PHASES.shuffle;
    };

    const size = function (container, resource) {
      return run.sizes[run.job[container]][3 * (resource === "vcores") + run.kind[container]];
    };

    const task = function (container) {
      const kind = run.kind[container];
      const job = run.jobs[run.job[container]];
      const name = kind === MASTER ? `the master of ${job}` : `${kind === REDUCE ? "reduce" : "map"} ${run.index[container]} of ${job}`;
      const iteration = run.iterated[run.job[container]] ? `, iteration ${run.stage[container]}` : "";
      return name + iteration + (run.attempt[container] > 1 ? `, attempt ${run.attempt[container]}` : "");
    };

    /* The last instant up to now at which anything started or ended, in a sentence; what started says more. */
    const happened = function () {
      let last = done - 1;
      while (last >= 0 && changes.what[last] === TURNS) last--;
      if (last < 0) return "Nothing has happened yet.";
      const at = changes.time[last];
      const [came, went] = [[], []];
      for (let place = last; place >= 0 && changes.time[place] === at; place--) {
        if (changes.what[place] >= STARTS) came.unshift(changes.who[place]);
        if (changes.what[place] === ENDS) went.unshift(changes.who[place]);
      }
      const listed = came.length ? came : went;
      const node = run.nodes[run.node[listed[0]]];
      const ended = run.outcome[listed[0]] === KILLED ? "is killed" : "ends";
      const first = came.length ? `${node} gets ${task(listed[0])}` : `${task(listed[0])} ${ended} on ${node}`;
      const more = listed.length > 1 ? `, and ${(listed.length - 1).toLocaleString("en")} more ${came.length ? "start" : "end"}` : "";
      return `${seconds(at + run.base)}: ${first}${more}`;
    };

    const waiting = () => upTo(requested, now) - upTo(starts, now) + upTo(unserved, now);

    /* The decision before or after an instant in ms; null where there is none. */
    const before = (ms) => decisions[upTo(decisions, ms - 0.5) - 1] ?? null;
    const after = (ms) => decisions[upTo(decisions, ms)] ?? null;

    return { ...run, go, drawn, holds, phase, size, task, happened, waiting, before, after, running: () => running };
  };

  gantry.playSeconds = seconds;
})();
