#include "scenario.hpp"

#include <array>
#include <string>

namespace kiln::oracle {

namespace {

constexpr std::array verbs = {"write",   "replace",    "rewrite",  "remove",     "make folder",
                              "copy -p", "hard link",  "symlink",  "rename",     "exchange",
                              "chmod",   "touch",      "set time", "date ahead", "memory header",
                              "macro",   "late macro", "go to",    "wait",       "meanwhile exchange"};
constexpr std::array folder_forms = {"include_dirs", "relative include_dirs", "-I", "-I, -isystem, member",
                                     "include_dirs, CPATH, CPLUS_INCLUDE_PATH"};
constexpr std::array name_forms = {"none", "relative", "absolute"};
constexpr std::array ways = {"compile", "compile_all", "read-only cache"};

template <class Names, class Value>
std::string name_of(const Names& names, Value value) {
  return names[static_cast<std::size_t>(value)];
}

std::string indented(const Text& text) {
  std::string lines = "    | ";
  for (const std::string& piece : text)
    for (const char c : piece) lines += c == '\n' ? std::string("\n    | ") : std::string(1, c);
  return lines.substr(0, lines.rfind("\n    | ")) + "\n";
}

}  // namespace

std::string describe(const Scenario& scenario) {
  const Setup& setup = scenario.setup;
  std::string words = setup.backend == Backend::nvcc ? "nvcc" : "NVRTC";
  words += ", folders one, two, three by " + name_of(folder_forms, setup.folders);
  words += ", source name " + name_of(name_forms, setup.name) + ", " + name_of(ways, setup.way);
  if (setup.target == Target::cubin) words += ", cubin";
  if (setup.strict) words += ", strict headers";
  if (setup.extern_c) words += ", extern C";
  if (setup.for_emulator) words += ", for the emulator";
  if (setup.works_elsewhere) words += ", working folder elsewhere";
  if (!setup.lines.empty()) words += ", " + setup.lines;
  for (const std::string& option : setup.options) words += ", " + option;
  words += "\n  source:\n" + indented(scenario.source);
  for (const Step& step : scenario.steps) {
    words += "  " + name_of(verbs, step.kind) + " " + step.path + (step.to.empty() ? "" : " " + step.to) + "\n";
    for (const unsigned moment : step.moments) words += "    after " + std::to_string(moment) + " ms\n";
    if (!step.text.empty()) words += indented(step.text);
    if (step.asks) words += "  compile\n";
  }
  return words;
}

}  // namespace kiln::oracle
