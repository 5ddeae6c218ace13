// A warp's access to global, local or constant memory: the lanes above, below them the lines of 128 bytes that they
// touch, each of four sectors of 32 bytes.

const byteWidth = 5;
const drawingLeft = 96;
const drawingWidth = 128 * byteWidth;
const laneWidth = drawingWidth / 32;

function laneColour(lane) { return `hsl(${222 + 4.6 * lane} 62% 48%)`; }

function activeLanes(sample) {
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane) {
    if ((sample.offsets?.[lane] ?? null) !== null) lanes.push(lane);
  }
  return lanes;
}

/// Ranges of bytes, counted from the 128-byte line that the base is in.
function laneRangesOfMemory(sample) {
  const start = Number(BigInt(sample.base ?? "0x0") & 127n);
  const ranges = [];
  for (const lane of activeLanes(sample)) {
    const offset = sample.offsets[lane];
    if (sample.space !== "local") {
      ranges.push({lane, begin: start + offset, size: sample.bytes});
      continue;
    }
    // The words of a thread's local memory lie 128 bytes apart, those of the lanes beside each other.
    for (let byte = 0; byte < sample.bytes; byte += 4) {
      const word = Math.floor((offset + byte) / 4);
      ranges.push({lane, begin: 128 * word + 4 * lane + (offset % 4), size: Math.min(4, sample.bytes)});
    }
  }
  return ranges;
}

/// {lines: [{number, cells: [{begin, size, lanes}], sectors: Set}], sectors, usedBytes, start}
function memoryPicture(sample) {
  const lines = new Map();
  for (const range of laneRangesOfMemory(sample)) {
    for (let begin = range.begin; begin < range.begin + range.size;) {
      const number = Math.floor(begin / 128);
      const end = Math.min(range.begin + range.size, 128 * (number + 1));
      const line = lines.get(number) ?? {number, cells: new Map(), sectors: new Set(), used: new Set()};
      lines.set(number, line);
      const key = `${begin} ${end}`;
      const cell = line.cells.get(key) ?? {begin: begin - 128 * number, size: end - begin, lanes: []};
      line.cells.set(key, cell);
      cell.lanes.push(range.lane);
      for (let byte = begin; byte < end; ++byte) {
        line.sectors.add(Math.floor((byte - 128 * number) / 32));
        line.used.add(byte);
      }
      begin = end;
    }
  }
  const sorted = [...lines.values()].sort((a, b) => a.number - b.number);
  return {
    lines: sorted,
    sectors: sorted.reduce((all, line) => all + line.sectors.size, 0),
    usedBytes: sorted.reduce((all, line) => all + line.used.size, 0),
    start: sample.space === "local" ? 0 : Number(BigInt(sample.base ?? "0x0") & 127n),
  };
}

function laneBoxes(sample, chosen, y) {
  const active = new Set(activeLanes(sample));
  const boxes = [drawn("text", {class: "label", x: drawingLeft - 10, y: y + 14, "text-anchor": "end"}, "lane")];
  for (let lane = 0; lane < 32; ++lane) {
    const x = drawingLeft + lane * laneWidth;
    boxes.push(drawn("rect", {
      class: `lane-box${active.has(lane) ? "" : " off"}${lane === chosen ? " chosen" : ""}`,
      "data-lane": lane,
      x: x + 1,
      y,
      width: laneWidth - 2,
      height: 20,
      rx: 3,
      fill: active.has(lane) ? laneColour(lane) : "none",
    }),
        drawn("text", {
          class: active.has(lane) ? "on-colour" : "off-text",
          x: x + laneWidth / 2,
          y: y + 14,
          "text-anchor": "middle"
        },
            String(lane)));
  }
  return boxes;
}

function connector(x1, y1, x2, y2, lane, strong) {
  const bend = (y2 - y1) / 2;
  return drawn("path", {
    class: strong ? "connector strong" : "connector",
    stroke: laneColour(lane),
    d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
  });
}

function cellLabel(lanes) { return lanes.length === 1 ? String(lanes[0]) : `\u00d7${lanes.length}`; }

function memoryCell(cell, y, chosen) {
  const width = cell.size * byteWidth;
  const x = drawingLeft + cell.begin * byteWidth;
  const lit = cell.lanes.includes(chosen);
  const parts = [drawn("rect", {
    class: lit ? "cell chosen" : "cell",
    x: x + 0.75,
    y: y + 2,
    width: Math.max(width - 1.5, 1),
    height: 18,
    rx: 2,
    fill: laneColour(lit ? chosen : cell.lanes[0]),
  })];
  if (width >= 16)
    parts.push(drawn(
        "text", {class: "on-colour", x: x + width / 2, y: y + 15, "text-anchor": "middle"}, cellLabel(cell.lanes)));
  return parts;
}

function memoryDrawing(sample, chosen) {
  const picture = memoryPicture(sample);
  const few = picture.lines.length <= 4 && picture.lines.every((line) => line.cells.size <= 32);
  const top = 8;
  const first = top + 20 + (few ? 60 : 36);
  const parts = [];
  const joints = [];
  let y = first;
  picture.lines.forEach((line, index) => {
    const gap = index > 0 ? line.number - picture.lines[index - 1].number - 1 : 0;
    if (gap > 0) {
      parts.push(drawn(
          "text", {class: "gap", x: drawingLeft + drawingWidth / 2, y: y + 5, "text-anchor": "middle"}, "\u22ef"));
      y += 9;
    }
    parts.push(drawn("text", {class: "label", x: drawingLeft - 10, y: y + 15, "text-anchor": "end"},
        signedOffset(128 * line.number - picture.start)));
    for (let sector = 0; sector < 4; ++sector) {
      parts.push(drawn("rect", {
        class: line.sectors.has(sector) ? "sector moved" : "sector",
        x: drawingLeft + 32 * byteWidth * sector + 0.5,
        y: y + 0.5,
        width: 32 * byteWidth - 1,
        height: 21,
        rx: 3,
      }));
    }
    for (const cell of line.cells.values()) {
      parts.push(...memoryCell(cell, y, chosen));
      for (const lane of cell.lanes) {
        if (!few && lane !== chosen) continue;
        joints.push(connector(drawingLeft + (lane + 0.5) * laneWidth, top + 20,
            drawingLeft + (cell.begin + cell.size / 2) * byteWidth, y + 2, lane, lane === chosen));
      }
    }
    parts.push(drawn("text", {class: "label", x: drawingLeft + drawingWidth + 10, y: y + 15},
        `${line.used.size} of ${32 * line.sectors.size}`));
    y += 26;
  });
  parts.push(drawn("text", {class: "label", x: drawingLeft + drawingWidth + 10, y: first - 8}, "bytes used"),
      drawn("text", {class: "label", x: drawingLeft - 10, y: first - 8, "text-anchor": "end"}, "offset"));
  return drawn("svg",
      {class: "drawing memory", viewBox: `0 0 ${drawingLeft + drawingWidth + 96} ${y + 6}`, "aria-hidden": "true"},
      joints, laneBoxes(sample, chosen, top), parts);
}

function memorySentence(sample) {
  const picture = memoryPicture(sample);
  const lanes = activeLanes(sample).length;
  const least = Math.ceil(picture.usedBytes / 32);
  const sectors = sample.sectors ?? picture.sectors;
  if (sample.space === "constant")
    return `${counted(lanes, "lane")} ${lanes === 1 ? "reads" : "read"} ${
        counted(
            new Set(sample.offsets.filter((offset) => offset !== null)).size, "address", "addresses")}: one is ideal.`;
  return `${counted(lanes, "lane")} ${lanes === 1 ? "uses" : "use"} ${counted(picture.usedBytes, "byte")} in ${
             counted(sectors, "sector")} of 32 bytes` +
      (sectors <= least ?
              ": as few as there can be." :
              `; ${least} would do. ${percent(picture.usedBytes / (32 * sectors))} of what is moved is used.`);
}

function memoryPlaceOfLane(sample, lane) {
  const range = laneRangesOfMemory(sample).find((each) => each.lane === lane);
  const start = sample.space === "local" ? 0 : Number(BigInt(sample.base ?? "0x0") & 127n);
  const sector = Math.floor(range.begin / 32);
  return `offset ${signedOffset(sample.offsets[lane])}, sector at ${signedOffset(32 * sector - start)}`;
}
