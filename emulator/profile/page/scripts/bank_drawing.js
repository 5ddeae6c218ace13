// A warp's access to shared memory: the lanes above, below them the 32 banks, each with the words that lanes want of
// it. What stands in one row is served in one wavefront.

/// Lanes that are served together: wide accesses in parts of the warp, which join where neighbours agree.
function lanesTogether(sample) {
  if (sample.bytes <= 4 || sample.operation === "atomic") return 32;
  const agree = (bit) => activeLanes(sample).every((lane) => {
    const other = sample.offsets[lane ^ bit] ?? null;
    return other === null || other === sample.offsets[lane];
  });
  const lanes = 128 / sample.bytes;
  return agree(1) || agree(2) ? 2 * lanes : lanes;
}

function sharedStart(sample) { return Number(BigInt(sample.base ?? "0x0")); }

/// [{lanes: [first, last], banks: 32 lists of {word, lanes}, rows}]
function bankGroups(sample) {
  const together = lanesTogether(sample);
  const groups = [];
  for (let first = 0; first < 32; first += together) {
    const banks = Array.from({length: 32}, () => []);
    for (const lane of activeLanes(sample)) {
      if (lane < first || lane >= first + together) continue;
      const begin = Math.floor((sharedStart(sample) + sample.offsets[lane]) / 4);
      for (let word = begin; word < begin + Math.max(1, sample.bytes / 4); ++word) {
        const bank = banks[((word % 32) + 32) % 32];
        // Atomics on one word are served one after another, too.
        const known = sample.operation === "atomic" ? undefined : bank.find((each) => each.word === word);
        if (known)
          known.lanes.push(lane);
        else
          bank.push({word, lanes: [lane]});
      }
    }
    const rows = Math.max(...banks.map((bank) => bank.length));
    if (rows > 0) groups.push({first, last: first + together - 1, banks, rows});
  }
  return groups;
}

function bankCell(item, bank, y, chosen) {
  const lit = item.lanes.includes(chosen);
  const x = drawingLeft + bank * laneWidth;
  return [
    drawn("rect", {
      class: lit ? "cell chosen" : "cell",
      x: x + 1,
      y: y + 1,
      width: laneWidth - 2,
      height: 18,
      rx: 2,
      fill: laneColour(lit ? chosen : item.lanes[0])
    }),
    drawn(
        "text", {class: "on-colour", x: x + laneWidth / 2, y: y + 14, "text-anchor": "middle"}, cellLabel(item.lanes)),
  ];
}

function bankDrawing(sample, chosen) {
  const groups = bankGroups(sample);
  const rows = groups.reduce((all, group) => all + group.rows, 0);
  const few = rows <= 4 && sample.bytes <= 4;
  const top = 8;
  let y = top + 20 + (few ? 60 : 36);
  const bankTop = y;
  const parts = [];
  const joints = [];
  parts.push(drawn("text", {class: "label", x: drawingLeft - 10, y: y + 12, "text-anchor": "end"}, "bank"));
  for (let bank = 0; bank < 32; ++bank) {
    parts.push(drawn("text",
        {class: "label", x: drawingLeft + (bank + 0.5) * laneWidth, y: y + 12, "text-anchor": "middle"}, String(bank)));
  }
  y += 20;
  let wavefront = 0;
  for (const group of groups) {
    if (groups.length > 1) {
      parts.push(drawn("text", {class: "label", x: drawingLeft, y: y + 13}, `lanes ${group.first} to ${group.last}`));
      y += 20;
    }
    for (let row = 0; row < group.rows; ++row) {
      parts.push(drawn("rect",
                     {class: "sector", x: drawingLeft + 0.5, y: y + 0.5, width: drawingWidth - 1, height: 19, rx: 3}),
          drawn("text", {class: "label", x: drawingLeft - 10, y: y + 14, "text-anchor": "end"}, `pass ${++wavefront}`));
      group.banks.forEach((bank, number) => {
        const item = bank[row];
        if (!item) return;
        parts.push(...bankCell(item, number, y, chosen));
        for (const lane of item.lanes) {
          if (!few && lane !== chosen) continue;
          joints.push(connector(drawingLeft + (lane + 0.5) * laneWidth, top + 20,
              drawingLeft + (number + 0.5) * laneWidth, lane === chosen ? y + 1 : bankTop, lane, lane === chosen));
        }
      });
      y += 22;
    }
    y += 6;
  }
  return drawn("svg",
      {class: "drawing banks", viewBox: `0 0 ${drawingLeft + drawingWidth + 24} ${y + 4}`, "aria-hidden": "true"},
      joints, laneBoxes(sample, chosen, top), parts);
}

function bankSentence(sample) {
  const groups = bankGroups(sample);
  const wavefronts = sample.wavefronts ?? groups.reduce((all, group) => all + group.rows, 0);
  const lanes = activeLanes(sample).length;
  const busiest = groups.flatMap((group) => group.banks.map((bank, number) => ({number, words: bank.length})))
                      .reduce((most, bank) => (bank.words > most.words ? bank : most), {number: 0, words: 0});
  const start = `${counted(lanes, "lane")}, ${sample.bytes} bytes each, in ${counted(wavefronts, "wavefront")}`;
  if (wavefronts <= groups.length) return `${start}: no bank conflict.`;
  return `${start} where ${groups.length} would do: ${busiest.words} ${
      sample.operation === "atomic" ? "operations" : "different words"} are in bank ${busiest.number}.`;
}

function bankPlaceOfLane(sample, lane) {
  const word = Math.floor((sharedStart(sample) + sample.offsets[lane]) / 4);
  const last = (word + Math.max(1, sample.bytes / 4) - 1) % 32;
  return `offset ${signedOffset(sample.offsets[lane])}, ${
      sample.bytes > 4 ? `banks ${word % 32} to ${last}` : `bank ${word % 32}`}`;
}
