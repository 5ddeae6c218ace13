// What can be shown of a line, an instruction or a launch: the counters of the profile, and figures made of them.
// worse: whether the high or the low values are those to look at. whole: the value that a bar of full length stands
// for.

const groupTitles = {
  execution: "Execution",
  global: "Global memory",
  shared: "Shared memory",
  local: "Local memory",
  atomic: "Atomics",
  constant: "Constant memory",
  barrier: "Barriers",
  flops: "Arithmetic",
  other: "Other",
};

function ratio(upper, lower) { return lower > 0 ? upper / lower : null; }

function sum(counters, ...keys) { return keys.reduce((total, key) => total + (counters[key] ?? 0), 0); }

function excess(counters, keys, idealSuffix) {
  return keys.reduce((total, key) => total + (counters[key] ?? 0) - (counters[key + idealSuffix] ?? 0), 0);
}

function figure(key, group, title, help, value, more = {}) {
  return {key, group, title, help, value, format: rounded, worse: "high", unit: "", nsight: null, ...more};
}

const madeFigures = [
  figure("active_lanes", "execution", "active lanes", "Lanes at work, of 32, on average over the executions",
      (c) => ratio(c.thread_inst_executed, c.inst_executed), {worse: "low", whole: 32, unit: "lanes"}),
  figure("branches_divergent_share", "execution", "divergent branches (share)",
      "Share of the branches at which the lanes of a warp went different ways",
      (c) => ratio(c.branches_divergent ?? 0, c.branches), {format: percent, whole: 1}),
  figure("global_sectors", "global", "global sectors", "Sectors of 32 bytes moved by loads, stores and atomics",
      (c) => sum(c, "global_load_sectors", "global_store_sectors", "global_atomic_sectors"),
      {additive: true, unit: "sectors"}),
  figure("global_load_sectors_a_request", "global", "global load: sectors a request",
      "1 to 4 is what neighbouring 1- to 4-byte elements need; 32 is the worst of 4-byte loads",
      (c) => ratio(c.global_load_sectors, c.global_load_requests), {unit: "sectors"}),
  figure("global_store_sectors_a_request", "global", "global store: sectors a request", "As of loads",
      (c) => ratio(c.global_store_sectors, c.global_store_requests), {unit: "sectors"}),
  figure("global_load_used", "global", "global load: bytes used", "Share of the moved bytes that a lane asked for",
      (c) => ratio(c.global_load_bytes ?? 0, 32 * c.global_load_sectors), {format: percent, worse: "low", whole: 1}),
  figure("global_store_used", "global", "global store: bytes used", "Share of the moved bytes that a lane asked for",
      (c) => ratio(c.global_store_bytes ?? 0, 32 * c.global_store_sectors), {format: percent, worse: "low", whole: 1}),
  figure("global_excessive", "global", "excessive global sectors",
      "Sectors moved beyond those that the bytes asked for need",
      (c) => excess(c, ["global_load_sectors", "global_store_sectors"], "_ideal"),
      {additive: true, unit: "sectors", nsight: "memory_l2_theoretical_sectors_global - ..._ideal"}),
  figure("shared_wavefronts", "shared", "shared wavefronts", "Passes through the banks by loads, stores and atomics",
      (c) => sum(c, "shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts"),
      {additive: true, unit: "wavefronts"}),
  figure("shared_conflicts", "shared", "bank conflicts", "Wavefronts beyond those that are needed without conflicts",
      (c) => sum(c, "shared_load_bank_conflicts", "shared_store_bank_conflicts", "shared_atomic_bank_conflicts"),
      {additive: true, unit: "conflicts"}),
  figure("constant_addresses_a_request", "constant", "constant: addresses a request", "1 is ideal",
      (c) => ratio(c.constant_addresses, c.constant_requests), {unit: "addresses"}),
  figure("barrier_wait", "barrier", "barrier: steps waited an arrival",
      "Instructions that a warp waited for, on average", (c) => ratio(c.barrier_steps_waited ?? 0, c.barrier_arrivals),
      {unit: "steps"}),
];

function groupOf(key) {
  if (/^(inst|thread_inst|branches)/.test(key)) return "execution";
  const word = key.split("_", 1)[0];
  return Object.hasOwn(groupTitles, word) ? word : "other";
}

const counterTitles = new Map([
  ["inst_executed", "executions by warps"],
  ["thread_inst_executed", "executions by threads"],
  ["thread_inst_executed_true", "executions by threads, predicate true"],
]);

function counterTitle(key) {
  return counterTitles.get(key) ??
      key.replace(/^thread_inst_executed_op_/, "executions by threads: ").replace(/_/g, " ");
}

function counterFigure(key) {
  const known = profile.metrics?.[key] ?? {};
  const good = /_(ideal|bytes)$/.test(key);
  return figure(key, groupOf(key), counterTitle(key), known.text ?? "", (c) => c[key] ?? 0, {
    unit: known.unit ?? "",
    nsight: known.nsight ?? null,
    additive: key !== "atomic_most_on_one_address",
    worse: good ? null : "high",
  });
}

const allFigures = (() => {
  const keys = new Set(Object.keys(profile.metrics ?? {}));
  for (const launch of launches) {
    for (const key of Object.keys(launch.totals ?? {})) keys.add(key);
  }
  const counters = [...keys].map(counterFigure);
  const order = Object.keys(groupTitles);
  const made = new Set(madeFigures.map((each) => each.key));
  return [...madeFigures, ...counters.filter((each) => !made.has(each.key))].sort(
      (a, b) => order.indexOf(a.group) - order.indexOf(b.group));
})();

const figureByKey = new Map(allFigures.map((each) => [each.key, each]));

function figureText(metric, counters) {
  const value = metric.value(counters);
  return value === null ? "" : metric.format(value);
}

/// Those that say something about at least one of the rows.
function figuresOf(rows, figures = allFigures) {
  return figures.filter((metric) => rows.some((row) => {
    const value = metric.value(row.counters ?? row.totals ?? {});
    return value !== null && value !== 0;
  }));
}

function figureChoices(figures) {
  return Object.entries(groupTitles)
      .map(([group, title]) => ({
        group: title,
        choices: figures.filter((each) => each.group === group).map((each) => [each.key, each.title]),
      }))
      .filter((each) => each.choices.length > 0);
}

/// How hot a value is, 0 to 1: of the counters against the largest, of shares against the whole.
function heatOf(metric, value, largest) {
  if (value === null || metric.worse === null) return 0;
  const part = Math.min(value / (metric.whole ?? largest), 1);
  return metric.worse === "low" ? 1 - part : part || 0;
}
