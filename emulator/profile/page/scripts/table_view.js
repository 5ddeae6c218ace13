// Everything as tables that sort by any column.

function textColumn(title, text, more = {}) { return {title, text, value: text, ...more}; }

function placeColumn() {
  return {
    title: "place",
    value: (row) => (row.source === null || row.source === undefined ? null : 1e7 * row.source + row.line),
    text: (row) => placeText(row) ?? "no line",
    cell: (row) => (placeText(row) === null ?
            null :
            button(placeText(row), () => goTo({view: "source", source: row.source, line: row.line}), {class: "link"})),
  };
}

function columnsOfFigures(rows) {
  const wanted = [
    "inst_executed", "thread_inst_executed", "active_lanes", "branches", "branches_divergent",
    "global_load_sectors_a_request", "global_load_used", "global_store_sectors_a_request", "global_store_used",
    "global_sectors", "global_excessive", "shared_wavefronts", "shared_conflicts", "atomic_conflicts",
    "constant_addresses_a_request", "local_load_sectors", "local_store_sectors", "barrier_wait", "flops_fp16",
    "flops_fp32", "flops_fp64", "flops_tensor"
  ];
  const figures = wanted.map((key) => figureByKey.get(key)).filter(Boolean);
  return figuresOf(rows, figures).map(figureColumn);
}

function linesTable(launch) {
  const rows = launch.lines ?? [];
  return sortableTable("Source lines",
      [
        placeColumn(),
        textColumn(
            "text", (row) => (row.source === null ? "" : sourceText(row.source, row.line)?.trim() ?? ""), {code: true}),
        ...columnsOfFigures(rows)
      ],
      rows);
}

function instructionsTable(launch) {
  const rows = launch.instructions ?? [];
  return sortableTable("PTX instructions",
      [
        {
          ...textColumn("PTX line", (row) => String(row.ptx_line), {numeric: true}),
          value: (row) => row.ptx_line,
          cell: (row) => button(
              String(row.ptx_line), () => goTo({view: "source", source: "ptx", line: row.ptx_line}), {class: "link"})
        },
        textColumn("instruction", (row) => row.text, {code: true}), textColumn("kind", (row) => row.kind ?? ""),
        placeColumn(), ...columnsOfFigures(rows)
      ],
      rows);
}

function launchesTable() {
  return sortableTable("All launches of the profile",
      [
        {
          title: "kernel",
          value: launchTitle,
          text: launchTitle,
          cell: (row) => button(launchTitle(row), () => goTo({launch: launches.indexOf(row), view: "overview"}),
              {class: "link", title: row.kernel})
        },
        textColumn("grid", (row) => sizes(row.grid)), textColumn("block", (row) => sizes(row.block)), {
          title: "launches",
          numeric: true,
          value: (row) => row.launches ?? 1,
          text: (row) => grouped(row.launches ?? 1)
        },
        {
          title: "advice",
          numeric: true,
          value: (row) => (row.advice ?? []).length,
          text: (row) => String((row.advice ?? []).length)
        },
        ...columnsOfFigures(launches)
      ],
      launches);
}

function countersTable(launch) {
  const rows = figuresOf([launch]);
  return sortableTable("All figures of the launch",
      [
        textColumn("figure", (row) => row.title), {
          title: "value",
          numeric: true,
          value: (row) => row.value(launch.totals),
          text: (row) => figureText(row, launch.totals)
        },
        textColumn("unit", (row) => row.unit), textColumn("meaning", (row) => row.help),
        textColumn("Nsight Compute", (row) => row.nsight ?? "", {code: true})
      ],
      rows);
}

const tables = {
  lines: ["Lines", linesTable],
  instructions: ["Instructions", instructionsTable],
  counters: ["Counters", countersTable],
  launches: ["Launches", launchesTable]
};

const tableView = {
  name: "tables",
  title: "Tables",
  draw(panel, launch, place) {
    const key = Object.hasOwn(tables, place.table ?? "") ? place.table : this.key ?? "lines";
    this.key = key;
    panel.append(
        element("div", {class: "segments", role: "group", "aria-label": "Table"},
            Object.entries(tables).map(([name, [title]]) => button(title,
                                           () => {
                                             goTo({view: "tables", table: name});
                                             byId(`table-${name}`).focus();
                                           },
                                           {"aria-pressed": name === key ? "true" : "false", id: `table-${name}`}))),
        tables[key][1](launch));
  },
};
