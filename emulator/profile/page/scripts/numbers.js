// Numbers as text: the same in every locale.

function decimal(value, digits) {
  const text = value.toFixed(digits);
  return digits === 0 ? text : text.replace(/\.?0+$/, "");
}

function grouped(value) {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return text.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

function rounded(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1000 ? grouped(Math.round(value)) : decimal(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function percent(share) {
  const value = 100 * share;
  return (value === 0 || value >= 99.95 ? decimal(value, 0) : value < 1 ? decimal(value, 2) : decimal(value, 1)) + " %";
}

function scaled(value, units, step) {
  let unit = 0;
  while (unit + 1 < units.length && Math.abs(value) >= step) {
    value /= step;
    ++unit;
  }
  const text = unit === 0 && Number.isInteger(value) ? String(value) :
                                                       decimal(value,
                                                           value < 10      ? 2 :
                                                               value < 100 ? 1 :
                                                                             0);
  return units[unit] === "" ? text : `${text} ${units[unit]}`;
}

function shortNumber(value) {
  return value < 1e6 ? grouped(value) : scaled(value, ["", "thousand", "million", "billion", "trillion"], 1000);
}

function byteCount(value) { return scaled(value, ["bytes", "KiB", "MiB", "GiB", "TiB"], 1024); }

function seconds(value) { return scaled(value * 1e9, ["ns", "µs", "ms", "s"], 1000); }

/// In FLOP/s.
function rate(value) { return scaled(value / 1e6, ["MFLOP/s", "GFLOP/s", "TFLOP/s"], 1000); }

function counted(number, one, several = one + "s") { return `${grouped(number)} ${number === 1 ? one : several}`; }

function hexMask(lanes) { return "0x" + (lanes >>> 0).toString(16).padStart(8, "0"); }

function laneCount(lanes) {
  let count = 0;
  for (let rest = lanes >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) ++count;
  return count;
}

function hasLane(lanes, lane) { return ((lanes >>> lane) & 1) === 1; }

/// "0-7, 9" of a mask.
function laneRanges(lanes) {
  const parts = [];
  for (let lane = 0; lane < 32; ++lane) {
    if (!hasLane(lanes, lane)) continue;
    const first = lane;
    while (lane < 31 && hasLane(lanes, lane + 1)) ++lane;
    parts.push(first === lane ? String(first) : `${first}\u2013${lane}`);
  }
  return parts.length === 0 ? "none" : parts.join(", ");
}

function signedOffset(offset) { return offset < 0 ? `\u2212${grouped(-offset)}` : `+${grouped(offset)}`; }

function sizes(dimensions, times = " \u00d7 ") {
  const used = [...dimensions];
  while (used.length > 1 && used[used.length - 1] === 1) used.pop();
  return used.map(grouped).join(times);
}
