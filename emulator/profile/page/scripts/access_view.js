// Single accesses of a warp to memory, drawn.

function sampleTitle(sample) {
  return `block (${sample.block.join(", ")}), warp ${sample.warp}` + (sample.worst ? " \u2013 the worst" : "");
}

function sampleCost(sample) {
  if (sample.space === "shared") return counted(sample.wavefronts ?? 0, "wavefront");
  return sample.space === "constant" ? "constant" : counted(sample.sectors ?? 0, "sector");
}

function laneTable(sample) {
  const shared = sample.space === "shared";
  return element("details", {}, element("summary", {}, "The same as a table"),
      element("table", {class: "figures lanes"},
          element("thead", {}, element("tr", {}, ["lane", "place"].map((text) => element("th", {scope: "col"}, text)))),
          element("tbody", {},
              activeLanes(sample).map(
                  (lane) => element("tr", {}, element("th", {scope: "row"}, String(lane)),
                      element("td", {}, (shared ? bankPlaceOfLane : memoryPlaceOfLane)(sample, lane)))))));
}

/// The drawing, whose lanes are walked through by arrow keys.
function sampleFigure(sample) {
  const shared = sample.space === "shared";
  const lanes = activeLanes(sample);
  const word = element("p", {class: "lane-text muted", "aria-hidden": "true"},
      "Point at a lane, or move through the lanes by arrow keys.");
  const frame = element("div", {
    class: "frame",
    tabindex: 0,
    role: "slider",
    "aria-label": "Lane of the drawing",
    "aria-valuemin": 0,
    "aria-valuemax": 31,
    "aria-valuenow": lanes[0] ?? 0,
    "aria-valuetext": "none chosen",
  });
  let chosen = null;
  const fill = () => frame.replaceChildren((shared ? bankDrawing : memoryDrawing)(sample, chosen));
  const choose = (lane) => {
    if (lane === chosen || !lanes.includes(lane)) return;
    chosen = lane;
    const text = `Lane ${lane}: ${(shared ? bankPlaceOfLane : memoryPlaceOfLane)(sample, lane)}`;
    word.textContent = text;
    frame.setAttribute("aria-valuenow", lane);
    frame.setAttribute("aria-valuetext", text);
    fill();
  };
  frame.addEventListener("keydown", (event) => {
    const at = lanes.indexOf(chosen);
    const next = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: lanes.length - 1
    }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(lanes[Math.min(Math.max(next, 0), lanes.length - 1)]);
  });
  frame.addEventListener("pointermove", (event) => {
    if (event.target.dataset?.lane) choose(Number(event.target.dataset.lane));
  });
  fill();
  return element("figure", {},
      element(
          "figcaption", {}, element("strong", {id: "access-text"}, (shared ? bankSentence : memorySentence)(sample))),
      frame, word);
}

function accessDetails(launch, number) {
  const sample = launch.samples[number];
  const instruction = launch.instructions[sample.instruction];
  const place = placeText(instruction);
  const text = place ? sourceText(instruction.source, instruction.line) : null;
  const others = samplesOfInstruction(launch, sample.instruction);
  return [
    element("div", {class: "fields"},
        chooser("Warp",
            others.map((each) => [each, `${sampleTitle(launch.samples[each])}: ${sampleCost(launch.samples[each])}`]),
            number,
            (value) => {
              goTo({view: "accesses", sample: value});
              byId("sample").focus();
            },
            {id: "sample"}),
        place ?
            button(`Go to ${place}`, () => goTo({view: "source", source: instruction.source, line: instruction.line}),
                {class: "quiet"}) :
            null),
    element("p", {class: "code excerpt"}, text === null ? null : [highlighted(text.trim()), "\n"],
        element("span", {class: "muted"}, instruction.text)),
    sampleFigure(sample),
    element("p", {class: "legend small muted"},
        sample.space === "shared" ?
            "A coloured box is a word of a bank with the lane that wants it; \u00d7 counts lanes that share a word. " +
                "Each row is one pass." :
            "A row is a line of 128 bytes in four sectors. Coloured: bytes with the lane that wants them, " +
                "\u00d7 counts lanes that share them. Orange: moved, but not used."),
    element("p", {class: "small muted"},
        `${sample.space} ${sample.operation}, ${sample.bytes} bytes a thread; offsets from ${
            sample.base_name ? `the ${sample.base_name} at ` :
                               ""}${sample.base}. Lanes ${laneRanges(Number(sample.lanes))} are active.`),
    laneTable(sample),
  ];
}

function accessList(launch, chosenInstruction) {
  const instructions = [...new Set(launch.samples.map((sample) => sample.instruction))];
  const worst = (index) =>
      samplesOfInstruction(launch, index)
          .map((number) => launch.samples[number])
          .reduce(
              (most, sample) => (
                  (sample.sectors ?? sample.wavefronts ?? 0) > (most.sectors ?? most.wavefronts ?? 0) ? sample : most));
  return element("ol", {class: "plain choices"}, instructions.map((index) => {
    const instruction = launch.instructions[index];
    const sample = worst(index);
    const place = placeText(instruction);
    return element("li", {},
        element("button", {
          type: "button",
          "aria-current": index === chosenInstruction ? "true" : null,
          on: {click: () => goTo({view: "accesses", instruction: index})},
        },
            element("span", {class: "code"},
                (place ? sourceText(instruction.source, instruction.line)?.trim() : null) ?? instruction.text),
            element("span", {class: "small"},
                `${place ?? "no line"} \u00b7 ${sample.space} ${sample.operation} \u00b7 ${sampleCost(sample)}`)));
  }));
}

const accessView = {
  name: "accesses",
  title: "Memory accesses",
  draw(panel, launch, place) {
    const samples = launch.samples ?? [];
    if (samples.length === 0) {
      panel.append(element("p", {class: "message"}, "This launch has no recorded accesses to memory."));
      return;
    }
    const named = place.sample === undefined ? -1 : Number(place.sample);
    const ofInstruction =
        place.instruction === undefined ? [] : samplesOfInstruction(launch, Number(place.instruction));
    const worst = ofInstruction.find((number) => samples[number].worst);
    const number = named in samples ? named : worst ?? ofInstruction[0] ?? 0;
    keepPlace({sample: number});
    const list = accessList(launch, samples[number].instruction);
    panel.append(element("div", {class: "choice-columns"},
        element("nav", {class: "card", "aria-label": "Instructions"}, element("h2", {}, "Instructions"), list),
        element("div", {class: "card"}, accessDetails(launch, number).filter(Boolean))));
    list.querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});
  },
};
