// The profile of this page, and what the views ask of it.

const profile = JSON.parse(byId("profile").textContent);
const launches = profile.launches ?? [];

function sourceName(index) { return profile.sources?.[index]?.name ?? `source ${index}`; }

function baseName(path) { return path.slice(path.lastIndexOf("/") + 1) || path; }

function sourceText(index, line) { return profile.sources?.[index]?.text?.[line - 1] ?? null; }

/// "shift.cu:12", or null without line information.
function placeText(place) {
  return place.source === null || place.source === undefined ? null :
                                                               `${baseName(sourceName(place.source))}:${place.line}`;
}

/// The kernel's name without parameters and return type: "a::f<int>" of "void a::f<int>(float*)".
function shortName(name) {
  let depth = 0;
  let end = name.length;
  for (let i = 0; i < name.length; ++i) {
    if (name[i] === "<") ++depth;
    if (name[i] === ">") --depth;
    if (name[i] === "(" && depth === 0 && i > 0 && !name.startsWith("(anonymous", i)) {
      end = i;
      break;
    }
  }
  const head = name.slice(0, end);
  depth = 0;
  for (let i = head.length - 1; i >= 0; --i) {
    if (head[i] === ">") ++depth;
    if (head[i] === "<") --depth;
    if (head[i] === " " && depth === 0 && !head.endsWith("operator", i)) return head.slice(i + 1) || name;
  }
  return head || name;
}

function launchTitle(launch) { return shortName(launch.kernel || launch.mangled || "(unnamed)"); }

/// For each instruction its index; groups by source line, by its number in "instructions".
function instructionsOfLine(launch, source, line) {
  const found = [];
  (launch.instructions ?? []).forEach((instruction, index) => {
    if (instruction.source === source && instruction.line === line) found.push(index);
  });
  return found;
}

function samplesOfInstruction(launch, index) {
  const found = [];
  (launch.samples ?? []).forEach((sample, number) => {
    if (sample.instruction === index) found.push(number);
  });
  return found;
}

function launchBlocks(launch) { return launch.grid[0] * launch.grid[1] * launch.grid[2]; }
