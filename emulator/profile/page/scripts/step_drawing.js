// The lanes of a warp at one step, the steps around it, and the lanes at work over the whole trace.

function stepPlace(launch, step) {
  const instruction = launch.instructions?.[step[0]] ?? {};
  return {instruction, place: placeText(instruction)};
}

/// For each lane: the step that it did last, up to `index`; -1 before its first.
function lastSteps(trace, index) {
  const last = new Array(32).fill(-1);
  let missing = trace.threads >>> 0;
  for (let at = index; at >= 0 && missing !== 0; --at) {
    const found = (trace.steps[at][1] & missing) >>> 0;
    for (let lane = 0; found !== 0 && lane < 32; ++lane) {
      if (hasLane(found, lane)) last[lane] = at;
    }
    missing = (missing & ~found) >>> 0;
  }
  return last;
}

/// For each lane the last step of the trace that it takes part in.
function finalSteps(trace) { return trace.finals ??= lastSteps(trace, trace.steps.length - 1); }

function laneState(trace, index, lane) {
  const [, group, did] = trace.steps[index];
  if (!hasLane(trace.threads, lane)) return "absent";
  if (hasLane(did, lane)) return "did";
  if (hasLane(group, lane)) return "skipped";
  return !trace.truncated && finalSteps(trace)[lane] < index ? "finished" : "waiting";
}

const laneStateTitles = {
  did: "executes",
  skipped: "there, but its predicate is false",
  waiting: "waits elsewhere",
  finished: "has ended",
  absent: "has no thread",
};

function laneRow(launch, trace, index) {
  const last = lastSteps(trace, index);
  const parts = [];
  for (let lane = 0; lane < 32; ++lane) {
    const state = laneState(trace, index, lane);
    const x = lane * 24;
    const line = last[lane] < 0 ? "" : launch.instructions?.[trace.steps[last[lane]][0]]?.line ?? "";
    const title = `Lane ${lane} ${laneStateTitles[state]}`;
    parts.push(drawn("g", {}, drawn("title", {}, title),
        drawn("rect", {class: `lane ${state}`, x: x + 1.5, y: 1.5, width: 21, height: 28, rx: 4}),
        drawn("text", {class: `lane-number ${state}`, x: x + 12, y: 20, "text-anchor": "middle"}, String(lane)),
        drawn("text", {class: "lane-line", x: x + 12, y: 44, "text-anchor": "middle"},
            state === "waiting" ? String(line) : "")));
  }
  return drawn("svg", {class: "drawing lane-row", viewBox: "0 0 768 50", "aria-hidden": "true"}, parts);
}

function laneCells(step) {
  const path = (mask) => {
    let d = "";
    for (let lane = 0; lane < 32; ++lane) {
      if (hasLane(mask, lane)) d += `M${lane * 7 + 0.5} 1h6v12h-6z`;
    }
    return d;
  };
  const [, group, did] = step;
  return drawn("svg", {class: "cells", viewBox: "0 0 224 14", "aria-hidden": "true"},
      drawn("path", {class: "absent", d: path(~group >>> 0)}),
      drawn("path", {class: "skipped", d: path((group & ~did) >>> 0)}), drawn("path", {class: "did", d: path(did)}));
}

/// Lanes at work over the trace: each column is the average of a few steps.
function laneTimeline(trace, index, onChoose) {
  const [width, height] = [768, 44];
  const count = trace.steps.length;
  const columns = Math.min(count, 384);
  if (!trace.columns) {
    trace.columns = [];
    for (let column = 0; column < columns; ++column) {
      const [begin, end] = [Math.floor(column * count / columns), Math.floor((column + 1) * count / columns)];
      let lanes = 0;
      for (let at = begin; at < end; ++at) lanes += laneCount(trace.steps[at][2]);
      trace.columns.push(lanes / (end - begin));
    }
  }
  const d =
      trace.columns
          .map((lanes, column) => {
            const x = column * width / columns;
            const y = height - height * lanes / 32;
            return `${column === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}H${(x + width / columns).toFixed(2)}`;
          })
          .join("");
  const at = (index + 0.5) * width / count;
  const svg = drawn("svg", {
    class: "drawing timeline",
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true"
  },
      drawn("path", {class: "area", d: `${d}V${height}H0z`}),
      drawn("line", {class: "now", x1: at, x2: at, y1: 0, y2: height}));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    onChoose(Math.floor((event.clientX - box.left) / box.width * count));
  });
  return svg;
}
