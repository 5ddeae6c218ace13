// The source with a figure and heat beside each line.

let chosenFigure = "inst_executed";

function heatScale(metric, rows) {
  const values = rows.map((row) => metric.value(row.counters ?? {})).filter((value) => value !== null);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const total = metric.additive || metric.key === "inst_executed" ? values.reduce((all, value) => all + value, 0) : 0;
  return {metric, largest, total};
}

function listingRow(line, scale, withinComment) {
  const value = line.row ? scale.metric.value(line.row.counters ?? {}) : null;
  const shown = value !== null && value !== 0;
  const heat = shown ? heatOf(scale.metric, value, scale.largest) : 0;
  return [
    element("span", {class: "line-number"}, String(line.number)),
    element("span", {class: "figure"}, shown ? scale.metric.format(value) : ""),
    element("span", {class: "share"}, shown && scale.total > 0 ? percent(value / scale.total) : ""),
    element("span", {class: "heat", "aria-hidden": "true", vars: {"--heat": heat}}),
    element("code", {class: line.row ? "text" : "text idle", vars: {"--heat": heat}},
        highlighted(line.text, withinComment)),
  ];
}

// For paper: what was executed, and two lines around it.
function printedRows(listing, scale) {
  const near = new Set();
  listing.lines.forEach((line, index) => {
    if (line.row)
      for (let i = index - 2; i <= index + 2; ++i) near.add(i);
  });
  const indices = [...near].filter((index) => index in listing.lines).sort((a, b) => a - b).slice(0, 2000);
  return indices.map(
      (index, i) => element("div", {class: i > 0 && indices[i - 1] !== index - 1 ? "row after-gap" : "row"},
          listingRow(listing.lines[index], scale, listing.comments[index] === 1)));
}

const sourceView = {
  name: "source",
  title: "Source",
  draw(panel, launch, place) {
    const keys = listingKeys(launch);
    const wanted = place.source === undefined ? this.key : String(place.source);
    const key = keys.includes(wanted) ? wanted : keys[0];
    const listing = listingOf(launch, key);
    const choices = figuresOf(listing.rows);
    const metric = choices.find((each) => each.key === chosenFigure) ??
        choices.find((each) => each.key === "inst_executed") ?? choices[0] ?? allFigures[0];
    const scale = metric ? heatScale(metric, listing.rows) : null;
    this.key = key;

    const details = element("aside", {class: "card details", "aria-live": "polite", "aria-label": "The chosen line"},
        element("p", {class: "muted"},
            "Choose a line to see all its figures and its PTX. Arrow keys move; N and P go to the next and previous " +
                "line that was executed."));
    const list = new VirtualList(`${listing.full}: ${metric?.title ?? ""}`, listing.lines.length,
        (index) => listingRow(listing.lines[index], scale, listing.comments[index] === 1), (index) => {
          details.replaceChildren(...lineDetails(launch, listing, listing.lines[index]).filter(Boolean));
          keepPlace({source: key, line: listing.lines[index].number});
        });
    list.box.classList.add("code");
    list.box.addEventListener("keydown", (event) => this.onKey(event, list, listing));
    const fields = element("div", {class: "fields"},
        chooser("Text", keys.map((each) => [each, listingOf(launch, each).title]), key,
            (value) => goTo({view: "source", source: value})),
        chooser("Figure", figureChoices(choices), metric?.key,
            (value) => {
              chosenFigure = value;
              goTo(
                  {view: "source", source: key, line: list.chosen < 0 ? undefined : listing.lines[list.chosen].number});
              byId("figure").focus();
            },
            {id: "figure"}),
        element("p", {class: "muted small help"},
            [metric?.help, metric?.nsight ? `Nsight Compute: ${metric.nsight}` : ""].filter(Boolean).join(". ")));
    const unplaced = (launch.lines ?? []).find((row) => row.source === null || row.source === undefined);
    panel.append(fields,
        element("div", {class: "source-columns"},
            element("div", {class: "list-box"},
                element("div", {class: "row head", "aria-hidden": "true"},
                    ["line", metric?.title ?? "", listing.full].map((text) => element("span", {}, text))),
                document.body.classList.contains("printing") ?
                    element("div", {class: "listing code"}, printedRows(listing, scale)) :
                    list.box,
                unplaced ? element("p", {class: "muted small"},
                               `Without a source line: ${
                                   counted(unplaced.counters?.inst_executed ?? 0,
                                       "execution")} by warps. The PTX shows them.`) :
                           null),
            details));
    list.draw();
    this.chooseFirst(list, listing, place);
  },
  chooseFirst(list, listing, place) {
    const wanted = listing.lines.findIndex((line) => line.number === Number(place.line));
    const first = listing.lines.findIndex((line) => line.row);
    if (wanted >= 0)
      list.choose(wanted, "center");
    else if (first >= 0)
      list.show(Math.max(first - 3, 0), "nearest");
  },
  onKey(event, list, listing) {
    const step = {n: 1, p: -1}[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    for (let index = list.chosen + step; index >= 0 && index < listing.lines.length; index += step) {
      if (listing.lines[index].row) {
        list.choose(index);
        return;
      }
    }
  },
};
