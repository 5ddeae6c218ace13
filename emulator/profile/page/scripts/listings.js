// The texts that a launch can be shown by: its source files, and its PTX.

/// {key, title, lines: [{number, text, row}], comments}; row: {counters} or undefined.
function sourceListing(launch, source) {
  const rows = new Map();
  for (const row of launch.lines ?? []) {
    if (row.source === source) rows.set(row.line, row);
  }
  const text = profile.sources?.[source]?.text;
  const numbers = text ? text.map((_, index) => index + 1) : [];
  for (const line of rows.keys()) {
    if (!text || line > text.length) numbers.push(line);
  }
  const lines = numbers.sort((a, b) => a - b).map((number) => ({
    number,
    source,
    row: rows.get(number),
    text: text?.[number - 1] ?? "(the text of this line is not in the profile)",
  }));
  return {
    key: String(source),
    title: baseName(sourceName(source)),
    full: sourceName(source),
    lines,
    rows: [...rows.values()]
  };
}

function ptxListing(launch) {
  const rows = new Map();
  (launch.instructions ?? []).forEach((instruction, index) => rows.set(instruction.ptx_line, {...instruction, index}));
  const ptx = profile.programs?.[launch.program]?.ptx;
  const numbers = ptx ? ptx.map((_, index) => index + 1) : [...rows.keys()].sort((a, b) => a - b);
  const lines =
      numbers.map((number) => ({number, row: rows.get(number), text: ptx?.[number - 1] ?? rows.get(number).text}));
  const target = profile.programs?.[launch.program]?.target;
  return {key: "ptx", title: target ? `PTX (${target})` : "PTX", full: "PTX", lines, rows: [...rows.values()]};
}

function sourcesOf(launch) {
  const executions = new Map();
  for (const row of launch.lines ?? []) {
    if (row.source === null || row.source === undefined) continue;
    executions.set(row.source, (executions.get(row.source) ?? 0) + (row.counters?.inst_executed ?? 0));
  }
  return [...executions.keys()].sort((a, b) => executions.get(b) - executions.get(a));
}

const madeListings = new Map();

/// Made once: a source has thousands of lines.
function listingOf(launch, key) {
  const kept = `${launches.indexOf(launch)} ${key}`;
  if (!madeListings.has(kept)) {
    if (madeListings.size > 8) madeListings.clear();
    const listing = key === "ptx" ? ptxListing(launch) : sourceListing(launch, Number(key));
    listing.comments = commentStarts(listing.lines.map((line) => line.text));
    madeListings.set(kept, listing);
  }
  return madeListings.get(kept);
}

function listingKeys(launch) { return [...sourcesOf(launch).map(String), "ptx"]; }
