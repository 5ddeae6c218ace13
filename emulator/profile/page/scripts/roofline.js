// The roofline: how fast arithmetic of an intensity can be on a device, by its memory and by its units.

let chosenDevice = devices[0];

function intensities(launch) {
  const totals = launch.totals ?? {};
  return arithmeticKinds.map((kind) => ({...kind, flops: totals[kind.counter] ?? 0}))
      .filter((kind) => kind.flops > 0)
      .map((kind) => ({...kind, intensity: ratio(kind.flops, totals.global_bytes ?? 0)}));
}

function attainable(device, kind, intensity) {
  return Math.min(device[kind] * 1e12, intensity * device.bandwidth * 1e9);
}

function rooflineDrawing(device, kinds) {
  const [left, top, width, height] = [64, 14, 520, 230];
  const present = kinds.filter((kind) => kind.intensity !== null);
  const least = Math.min(0.0625, ...present.map((kind) => kind.intensity / 2));
  const greatest = Math.max(256, ...present.map((kind) => kind.intensity * 2));
  const highest = Math.max(...kinds.map((kind) => device[kind.key])) * 1e12 * 2;
  const lowest = Math.min(highest / 1e4, ...present.map((kind) => attainable(device, kind.key, kind.intensity) / 2));
  const x = (value) => left + width * Math.log(value / least) / Math.log(greatest / least);
  const y = (value) => top + height - height * Math.log(value / lowest) / Math.log(highest / lowest);
  const base = top + height;
  const parts = [];

  for (let power = Math.ceil(Math.log10(least)); 10 ** power <= greatest; ++power) {
    const at = x(10 ** power);
    parts.push(drawn("line", {class: "grid", x1: at, x2: at, y1: top, y2: base}),
        drawn("text", {x: at, y: base + 18, "text-anchor": "middle"}, String(10 ** power)));
  }
  for (let power = Math.ceil(Math.log10(lowest)); 10 ** power <= highest; ++power) {
    const at = y(10 ** power);
    parts.push(drawn("line", {class: "grid", x1: left, x2: left + width, y1: at, y2: at}),
        drawn("text", {x: left - 8, y: at + 4, "text-anchor": "end"}, rate(10 ** power).replace("FLOP/s", "")));
  }
  parts.push(drawn("text", {x: left + width, y: base + 36, "text-anchor": "end"}, "FLOP for each byte moved"),
      drawn("text", {x: left, y: top - 3}, "FLOP/s"));
  for (const kind of kinds) {
    const peak = device[kind.key] * 1e12;
    const ridge = peak / (device.bandwidth * 1e9);
    const start = Math.max(least, lowest / (device.bandwidth * 1e9));
    parts.push(drawn("path", {
      class: "roof",
      d: `M${x(start)} ${y(start * device.bandwidth * 1e9)}L${x(ridge)} ${y(peak)}L${x(greatest)} ${y(peak)}`
    }),
        drawn("text", {class: "strong", x: x(greatest), y: y(peak) - 6, "text-anchor": "end"},
            `${kind.title}: ${rate(peak)}`));
  }
  for (const kind of present) {
    const at = {x: x(kind.intensity), y: y(attainable(device, kind.key, kind.intensity))};
    parts.push(drawn("line", {class: "drop", x1: at.x, x2: at.x, y1: at.y, y2: base}),
        drawn("circle", {class: "point", cx: at.x, cy: at.y, r: 6}),
        drawn("text", {class: "strong", x: at.x + 10, y: at.y + 16}, `${kind.title} ${rounded(kind.intensity)}`));
  }
  const summary = present.map((kind) => `${kind.title}: intensity ${rounded(kind.intensity)}`).join("; ");
  return drawn("svg", {
    class: "drawing roofline",
    viewBox: "0 0 600 286",
    role: "img",
    "aria-label": `Roofline of ${device.name}. ${summary}`
  },
      parts);
}

function boundText(device, kind) {
  const ridge = device[kind.key] * 1000 / device.bandwidth;
  const rateText = rate(attainable(device, kind.key, kind.intensity));
  const bound = kind.intensity < ridge ? "memory" : "arithmetic";
  return element("p", {},
      element("strong", {}, `${kind.title}: ${rounded(kind.intensity)} FLOP a byte. Bound by ${bound}: `),
      `at most ${rateText}, ${
          percent(attainable(device, kind.key, kind.intensity) / (device[kind.key] * 1e12))} of the peak. ` +
          `From ${rounded(ridge)} FLOP a byte on, the ${kind.title} units are what limits.`);
}

function leastTimes(device, launch, kinds) {
  const memory = (launch.totals.global_bytes ?? 0) / (device.bandwidth * 1e9);
  const units = Math.max(0, ...kinds.map((kind) => kind.flops / (device[kind.key] * 1e12)));
  return `Moving ${byteCount(launch.totals.global_bytes ?? 0)} takes at least ${
      seconds(memory)}; the arithmetic takes at least ${seconds(units)}.`;
}

function rooflineSection(launch) {
  const kinds = intensities(launch);
  if (kinds.length === 0) return null;
  const body = element("div");
  const fill = () => {
    const present = kinds.filter((kind) => kind.intensity !== null);
    body.replaceChildren(rooflineDrawing(chosenDevice, kinds), ...present.map((kind) => boundText(chosenDevice, kind)),
        element("p", {id: "least-times"}, leastTimes(chosenDevice, launch, kinds)),
        element("p", {class: "muted small"},
            "Bytes are 32 times the global sectors: those between L1 and L2. What L2 keeps is not read from device " +
                "memory again, so a real run may be faster. " +
                `${chosenDevice.name} (${chosenDevice.year}): ${grouped(chosenDevice.bandwidth)} GB/s; ${
                    chosenDevice.origin}.`));
  };
  const choice = chooser(
      "Device", devices.map((device, index) => [index, device.name]), devices.indexOf(chosenDevice), (index) => {
        chosenDevice = devices[index];
        fill();
      }, {id: "device"});
  fill();
  return section("Arithmetic against memory", choice, body);
}
