// One warp step by step: which lanes are at which line.

const stepsBeside = 9;

function stepRows(launch, trace, index, choose) {
  const rows = [];
  for (let at = index - stepsBeside; at <= index + stepsBeside; ++at) {
    const step = trace.steps[at];
    if (!step) {
      rows.push(element("div", {class: "step empty"}, "\u00a0"));
      continue;
    }
    const {instruction, place} = stepPlace(launch, step);
    rows.push(element("div", {class: at === index ? "step now" : "step", on: {click: () => choose(at)}},
        element("span", {class: "number muted"}, grouped(at + 1)),
        element("span", {class: "muted"}, place === null ? "" : `line ${instruction.line}`),
        element("span", {class: "code", title: instruction.text ?? null}, instruction.text ?? ""), laneCells(step)));
  }
  return rows;
}

function excerpt(instruction) {
  const text = profile.sources?.[instruction.source]?.text;
  if (!text || !instruction.line)
    return [element("p", {class: "muted"}, "This instruction has no source line in the profile.")];
  const lines = [];
  const first = Math.max(1, Math.min(instruction.line - 7, text.length - 14));
  for (let line = first; line < first + 15 && line <= text.length; ++line) {
    lines.push(element("div", {class: line === instruction.line ? "row now" : "row"},
        element("span", {class: "line-number"}, String(line)),
        element("code", {class: "text"}, highlighted(text[line - 1]))));
  }
  return [
    element("h2", {}, baseName(sourceName(instruction.source))), element("div", {class: "code excerpt-lines"}, lines)
  ];
}

function nextWhere(trace, index, step, differs) {
  for (let at = index + step; at >= 0 && at < trace.steps.length; at += step) {
    if (differs(trace.steps[at], trace.steps[index])) return at;
  }
  return index;
}

const stepView = {
  name: "steps",
  title: "Step through",
  draw(panel, launch, place) {
    const trace = launch.trace;
    if (!trace || trace.steps.length === 0) {
      panel.append(element("p", {class: "message"}, "This launch has no recorded steps."));
      return;
    }
    const count = trace.steps.length;
    const instructionOf = (step) => launch.instructions?.[step[0]] ?? {};
    const sameLine = (a, b) =>
        instructionOf(a).line === instructionOf(b).line && instructionOf(a).source === instructionOf(b).source;
    let index = Math.min(Math.max(Number(place.step) || 0, 0), count - 1);

    const slider = element("input", {
      type: "range",
      min: 0,
      max: count - 1,
      value: index,
      "aria-label": "Step",
      on: {input: () => choose(Number(slider.value))}
    });
    const state = element("p", {id: "step-text", "aria-live": "polite"});
    const timeline = element("div", {class: "timeline-box"});
    const lanes = element("div");
    const rows = element("div", {class: "steps"});
    const source = element("div", {class: "card"});

    function fill() {
      const step = trace.steps[index];
      const {instruction, place: where} = stepPlace(launch, step);
      const off = laneCount((step[1] & ~step[2]) >>> 0);
      slider.value = index;
      state.replaceChildren(`Step ${grouped(index + 1)} of ${grouped(count)}${where ? `, ${where}` : ""}: `,
          element("strong", {id: "lane-mask"}, hexMask(step[2])),
          `, ${counted(laneCount(step[2]), "lane")} of ${laneCount(trace.threads)} (${laneRanges(step[2])})` +
              (off > 0 ? `; ${off} more are there, but their predicate is false` : ""));
      timeline.replaceChildren(laneTimeline(trace, index, choose));
      lanes.replaceChildren(laneRow(launch, trace, index));
      rows.replaceChildren(...stepRows(launch, trace, index, choose));
      source.replaceChildren(...excerpt(instruction));
    }
    function choose(next) {
      index = Math.min(Math.max(next, 0), count - 1);
      keepPlace({step: index});
      fill();
    }
    const moves = {
      first: () => choose(0),
      back: () => choose(index - 1),
      forward: () => choose(index + 1),
      last: () => choose(count - 1),
      lineBack: () => choose(nextWhere(trace, index, -1, (a, b) => !sameLine(a, b))),
      line: () => choose(nextWhere(trace, index, 1, (a, b) => !sameLine(a, b))),
      lanesBack: () => choose(nextWhere(trace, index, -1, (a, b) => a[1] !== b[1])),
      lanes: () => choose(nextWhere(trace, index, 1, (a, b) => a[1] !== b[1])),
    };
    const keys = {
      ArrowLeft: "back",
      ArrowRight: "forward",
      ArrowUp: "back",
      ArrowDown: "forward",
      PageUp: "lanesBack",
      PageDown: "lanes",
      Home: "first",
      End: "last",
      "Shift ArrowLeft": "lineBack",
      "Shift ArrowUp": "lineBack",
      "Shift ArrowRight": "line",
      "Shift ArrowDown": "line",
    };
    const box = element("div", {
      class: "card stepper",
      tabindex: 0,
      role: "group",
      "aria-label": "Steps of the warp",
      "data-focus": true,
      on: {
        keydown: (event) => {
          const move = keys[(event.shiftKey ? "Shift " : "") + event.key];
          if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          moves[move]();
        }
      },
    },
        element("div", {class: "toolbar"}, button("First", moves.first), button("\u2190 Back", moves.back),
            button("Forward \u2192", moves.forward, {class: "primary", id: "step-forward"}),
            button("Next line", moves.line), button("Next change of lanes", moves.lanes), button("Last", moves.last)),
        element("p", {class: "small muted"}, "Lanes at work over all steps:"), timeline, slider, state, lanes,
        element("ul", {class: "legend small"}, Object.entries(laneStateTitles).map(([name,
          title]) => element("li", {}, element("span", {class: `swatch ${name}`}), title))),
        element("p", {class: "small muted"},
            "Below a lane that waits: its last line. Arrow keys move a step, with Shift a line; Page Up and " +
                "Down go to where other lanes are at work."));
    panel.append(element("p", {class: "muted"},
                     `Warp ${trace.warp} of block (${trace.block.join(", ")}): ${counted(count, "step")}` +
                         (trace.truncated ? "; what came behind was not recorded." : ".")),
        box,
        element("div", {class: "pair wide-left"}, element("div", {class: "card"}, element("h2", {}, "Steps"), rows),
            source));
    fill();
  },
};
