// All figures of one line, and its PTX.

function counterTable(row) {
  const figures = figuresOf([row]);
  return element("table", {class: "figures"},
      element("tbody", {},
          figureChoices(figures).map(({group,
            choices}) => [element("tr", {}, element("th", {colspan: 2, scope: "colgroup", class: "group"}, group)),
                                         choices.map(([key, title]) => {
                                           const metric = figureByKey.get(key);
                                           const nsight = metric.nsight ? `\nNsight Compute: ${metric.nsight}` : "";
                                           return element("tr", {"data-figure": key},
                                               element("th", {scope: "row", title: metric.help + nsight}, title),
                                               element(
                                                   "td", {class: "number"}, figureText(metric, row.counters ?? {})));
                                         }),
  ])));
}

function instructionItem(launch, index) {
  const instruction = launch.instructions[index];
  const samples = samplesOfInstruction(launch, index);
  const through = (instruction.inlined_at ?? []).map(placeText).join(", ");
  return element("li", {}, element("code", {}, instruction.text),
      element("span", {class: "muted small"},
          ` PTX line ${instruction.ptx_line}, ${shortNumber(instruction.counters?.inst_executed ?? 0)} executions` +
              (through ? `, inlined at ${through}` : "")),
      samples.length > 0 ? button("Addresses", () => goTo({view: "accesses", instruction: index}), {class: "quiet"}) :
                           null);
}

function ptxOfLine(launch, line) {
  const indices = instructionsOfLine(launch, line.source, line.number);
  if (indices.length === 0) return null;
  return element("details", {class: "ptx"},
      element("summary", {}, `PTX of this line (${counted(indices.length, "instruction")})`),
      element("ol", {class: "plain"}, indices.slice(0, 300).map((index) => instructionItem(launch, index))));
}

function sourceOfInstruction(launch, row) {
  const place = placeText(row);
  return element("div", {},
      place ? element("p", {},
                  button(`Go to ${place}`, () => goTo({view: "source", source: row.source, line: row.line}),
                      {class: "quiet"})) :
              null,
      element("ol", {class: "plain"}, instructionItem(launch, row.index)));
}

function lineDetails(launch, listing, line) {
  const heading = element("h2", {}, `${listing.title}, line ${line.number}`);
  const code = element("p", {class: "code excerpt"}, highlighted(line.text.trim()));
  if (!line.row) return [heading, code, element("p", {class: "muted"}, "Nothing was executed for this line.")];
  const advice =
      (launch.advice ?? [])
          .filter((each) => listing.key === "ptx" ? each.instruction === line.row.index :
                                                    each.source === line.source && each.line === line.number);
  return [
    heading, code, ...advice.map((each) => element("p", {class: `advice ${each.severity}`}, each.text)),
    listing.key === "ptx" ? sourceOfInstruction(launch, line.row) : ptxOfLine(launch, line), counterTable(line.row)
  ];
}
