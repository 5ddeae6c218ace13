// The launch at a glance: key figures, advice, roofline, occupancy, mix of instructions.

function tile(title, value, detail, bar = null) {
  return element("div", {class: "tile"}, element("dt", {}, title),
      element("dd", {}, element("span", {class: "value"}, value), bar === null ? null : element("span", {
        class: bar < 0.5 ? "meter poor" : "meter",
        "aria-hidden": "true",
        vars: {"--part": Math.min(bar, 1)}
      }),
          detail ? element("span", {class: "muted small"}, detail) : null));
}

function trafficTile(totals, operation) {
  const [requests, sectors] = [totals[`global_${operation}_requests`] ?? 0, totals[`global_${operation}_sectors`] ?? 0];
  if (requests === 0) return null;
  const used = (totals[`global_${operation}_bytes`] ?? 0) / (32 * sectors);
  return tile(`Global ${operation}s`, `${percent(used)} used`,
      `${rounded(sectors / requests)} sectors a request, ${shortNumber(requests)} requests, ${
          byteCount(32 * sectors)} moved`,
      used);
}

function sharedTile(totals) {
  const wavefronts = figureByKey.get("shared_wavefronts").value(totals);
  if (wavefronts === 0) return null;
  const conflicts = figureByKey.get("shared_conflicts").value(totals);
  return tile("Bank conflicts", shortNumber(conflicts),
      `${shortNumber(wavefronts)} wavefronts of shared memory; ${shortNumber(wavefronts - conflicts)} would do`,
      (wavefronts - conflicts) / wavefronts);
}

function busiestTile(busiest) {
  if (!busiest) return null;
  const [global, shared] =
      ["global", "shared"].map((space) => [busiest[`${space}_reads`] ?? 0, busiest[`${space}_writes`] ?? 0]);
  if ([...global, ...shared].every((count) => count === 0)) return null;
  return tile("Busiest thread", `${shortNumber(global[0] + shared[0])} + ${shortNumber(global[1] + shared[1])}`,
      `reads and writes: ${grouped(global[0])} + ${grouped(global[1])} global, ${grouped(shared[0])} + ${
          grouped(shared[1])} shared`);
}

function keyFigures(launch) {
  const totals = launch.totals ?? {};
  const lanes = figureByKey.get("active_lanes").value(totals);
  const flops = arithmeticKinds.filter((kind) => totals[kind.counter]);
  const main =
      flops.reduce((most, kind) => (most === null || totals[kind.counter] > totals[most.counter] ? kind : most), null);
  return element("dl", {class: "tiles"},
      tile("Executed", `${shortNumber(totals.inst_executed ?? 0)}`,
          `instructions by warps; ${shortNumber(totals.thread_inst_executed ?? 0)} by threads`),
      lanes === null ? null :
                       tile("Active lanes", `${rounded(lanes)} of 32`, "on average over all instructions", lanes / 32),
      totals.branches ? tile("Divergent branches", percent((totals.branches_divergent ?? 0) / totals.branches),
                            `${grouped(totals.branches_divergent ?? 0)} of ${shortNumber(totals.branches)}`) :
                        null,
      trafficTile(totals, "load"), trafficTile(totals, "store"), sharedTile(totals),
      totals.atomic_threads ? tile("Atomics", counted(totals.atomic_conflicts ?? 0, "conflict"),
                                  `of ${shortNumber(totals.atomic_threads)} operations; at most ${
                                      totals.atomic_most_on_one_address ?? 1} lanes on one address`) :
                              null,
      totals.barrier_arrivals ?
          tile("Barriers", `${rounded((totals.barrier_steps_waited ?? 0) / totals.barrier_arrivals)} steps`,
              `waited by a warp on average; ${shortNumber(totals.barrier_arrivals)} arrivals`) :
          null,
      main === null ?
          null :
          tile("Arithmetic", `${shortNumber(totals[main.counter])} ${main.title}`,
              flops.filter((kind) => kind !== main)
                      .map((kind) => `${shortNumber(totals[kind.counter])} ${kind.title}`)
                      .join(", ") ||
                  (totals.global_bytes ?
                          `${rounded(totals[main.counter] / totals.global_bytes)} FLOP for each byte moved` :
                          "floating-point operations")),
      busiestTile(launch.busiest_thread));
}

function adviceItem(launch, advice) {
  const explained = Object.hasOwn(adviceTexts, advice.rule) ? adviceTexts[advice.rule] : null;
  const samples = advice.instruction === undefined ? [] : samplesOfInstruction(launch, advice.instruction);
  const place = placeText(advice);
  return element("li",
      {class: `advice ${["high", "medium", "low"].includes(advice.severity) ? advice.severity : "low"}`},
      element("p", {}, element("span", {class: "severity"}, advice.severity), " ", element("strong", {}, advice.text)),
      explained ? element("p", {class: "muted"}, explained) : null,
      element("p", {class: "actions"},
          place ? button(`Go to ${place}`, () => goTo({view: "source", source: advice.source, line: advice.line})) :
                  null,
          samples.length > 0 ?
              button("See the addresses", () => goTo({view: "accesses", instruction: advice.instruction})) :
              null));
}

function adviceSection(launch) {
  const all = launch.advice ?? [];
  return section("Advice",
      all.length === 0 ?
          element("p", {},
              "No rule found anything to improve. That is no proof: the rules know memory, divergence and barriers.") :
          element("ol", {class: "plain"}, all.map((advice) => adviceItem(launch, advice))));
}

function barRows(rows, format) {
  const most = Math.max(...rows.map(([, value]) => value), 1);
  return element("table", {class: "bars"},
      element("tbody", {},
          rows.map(([title, value]) => element("tr", {}, element("th", {scope: "row"}, title),
                       element("td", {class: "number"}, format(value)),
                       element("td", {class: "bar", "aria-hidden": "true"},
                           element("span", {vars: {"--part": value / most}}))))));
}

function mixSection(launch) {
  const start = "thread_inst_executed_op_";
  const rows = Object.entries(launch.totals ?? {})
                   .filter(([key, value]) => key.startsWith(start) && value > 0)
                   .map(([key, value]) => [key.slice(start.length), value])
                   .sort((a, b) => b[1] - a[1]);
  return rows.length === 0 ? null :
                             section("Instructions by kind", barRows(rows, shortNumber),
                                 element("p", {class: "muted small"}, "Executed by threads whose predicate held."));
}

function occupancySection(launch) {
  const occupancy = launch.occupancy;
  const missing = profile.programs?.[launch.program]?.no_machine_code;
  if (!occupancy && missing)
    return section("Occupancy", element("p", {class: "muted"}, `Registers are not known: ${missing}.`));
  const compiled = [["registers", "registers a thread"], ["spill_bytes", "bytes spilled"]]
                       .filter(([key]) => typeof launch[key] === "number")
                       .map(([key, text]) => `${launch[key]} ${text}`)
                       .join(", ");
  if (!occupancy) return compiled ? section("Occupancy", element("p", {}, compiled)) : null;
  const limits = Object.entries(occupancy.limits ?? {}).sort((a, b) => a[1] - b[1]);
  return section("Theoretical occupancy",
      element("p", {}, element("strong", {}, percent(occupancy.theoretical)),
          `: ${occupancy.warps} of ${occupancy.warps_max} warps, ${
              counted(occupancy.blocks, "block")} a multiprocessor` +
              (occupancy.limited_by ? `; limited by ${occupancy.limited_by}` : "") +
              (compiled ? `. ${compiled}.` : ".")),
      limits.length > 0 ? barRows(limits, (blocks) => counted(blocks, "block")) : null);
}

const overviewView = {
  name: "overview",
  title: "Overview",
  draw(panel, launch) {
    const roofline = rooflineSection(launch);
    const others = [occupancySection(launch), mixSection(launch)];
    panel.append(keyFigures(launch), adviceSection(launch),
        element("div", {class: "pair"}, roofline ? [roofline, element("div", {}, others)] : others));
  },
};
