// Colours for CUDA C++ and PTX: comments, strings, numbers, keywords. A line is looked at when it is drawn; only
// whether it begins within a comment is known from the lines above.

const keywords =
    new Set(("alignas auto bool break case char class const constexpr continue default delete do double else enum " +
        "extern false float for goto half if inline int long namespace new nullptr operator private public " +
        "register return short signed sizeof static static_cast struct switch template this true typedef " +
        "typename union unsigned using virtual void volatile while __global__ __device__ __host__ __shared__ " +
        "__constant__ __restrict__ __forceinline__ __noinline__ __launch_bounds__ __syncthreads __syncwarp " +
        "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t")
                .split(" "));
const builtIns = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"]);
const token = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_]\w*|\.?\d[\w.]*/g;

function commentStarts(lines) {
  const within = new Uint8Array(lines.length);
  let open = false;
  lines.forEach((line, index) => {
    within[index] = open ? 1 : 0;
    for (let at = 0; at >= 0 && at < line.length;) {
      if (open) {
        const end = line.indexOf("*/", at);
        if (end < 0) break;
        open = false;
        at = end + 2;
      } else {
        const start = line.slice(at).search(/\/\*|\/\/|"/);
        if (start < 0 || line.startsWith("//", at + start)) break;
        if (line[at + start] === '"') {
          const end = /^"(?:[^"\\]|\\.)*"?/.exec(line.slice(at + start))[0].length;
          at += start + end;
        } else {
          open = true;
          at += start + 2;
        }
      }
    }
  });
  return within;
}

function tokenClass(text) {
  if (text.startsWith("//") || text.startsWith("/*")) return "comment";
  if (text[0] === '"' || text[0] === "'") return "string";
  if (/^\.?\d/.test(text)) return "literal";
  if (keywords.has(text)) return "keyword";
  return builtIns.has(text) ? "builtin" : null;
}

/// A line as nodes.
function highlighted(line, withinComment = false) {
  if (line.length > 1000) return [line];
  const parts = [];
  let at = 0;
  if (withinComment) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    parts.push(element("span", {class: "comment"}, line.slice(0, at)));
  }
  token.lastIndex = at;
  for (let match = token.exec(line); match !== null; match = token.exec(line)) {
    const kind = tokenClass(match[0]);
    if (kind === null) continue;
    parts.push(line.slice(at, match.index), element("span", {class: kind}, match[0]));
    at = match.index + match[0].length;
  }
  parts.push(line.slice(at));
  return parts;
}
