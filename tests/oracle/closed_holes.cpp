#include "closed_holes.hpp"

#include <utility>

namespace kiln::oracle {

namespace {

using Kind = Step::Kind;

const Text end = {"__global__ void k() {}\n"};
const Text one = {"__device__ int one;\n"};
const Text two = {"__device__ int two;\n"};
// The folder itself is there: a new folder would be noticed.
const Step folder_two = {Kind::write, "A/two/other.h", {}, one, false};

Scenario scenario(Backend backend, Text source, std::vector<Step> steps) {
  Scenario scenario;
  scenario.setup.backend = backend;
  scenario.source = std::move(source);
  scenario.steps = std::move(steps);
  return scenario;
}

Scenario asked_next(Backend backend) {
  const Text asks = {"#if __has_include_next(<w.h>)\n__device__ int yes;\n#endif\n"};
  return scenario(backend, {"#include <w.h>\n", end[0]},
                  {folder_two, {Kind::write, "A/one/w.h", {}, asks}, {Kind::write, "A/two/w.h", {}, one}});
}

Scenario asked_by_alias(Backend backend, const std::string& define, const std::string& ask) {
  return scenario(backend, {define, "#if " + ask + "(<w.h>)\n__device__ int yes;\n#endif\n", end[0]},
                  {folder_two, {Kind::write, "A/one/v.h", {}, one}, {Kind::write, "A/two/w.h", {}, one}});
}

Scenario asked_by_option() {
  Scenario asked = asked_by_alias(Backend::nvrtc, "", "HI");
  asked.setup.options = {"-DHI=__has_include"};
  return asked;
}

Scenario twin() {
  const Text once = {"#pragma once\n", "__device__ int one;\n"};
  const Text other = {"#pragma once\n", "__device__ int two;\n"};
  return scenario(Backend::nvcc, {"#include <a.h>\n", "#include <b.h>\n", end[0]},
                  {{Kind::write, "A/one/a.h", {}, once, false},
                   {Kind::copy, "A/one/a.h", "A/one/b.h"},
                   {Kind::write, "A/one/b.h", {}, other}});
}

Scenario blocked(Step block, std::vector<Step> replace) {
  std::vector<Step> steps = {{Kind::write, "A/two/a.h", {}, one, false}};
  steps.push_back(std::move(block));
  for (Step& step : replace) steps.push_back(std::move(step));
  return scenario(Backend::nvrtc, {"#include <a.h>\n", end[0]}, std::move(steps));
}

Scenario blocked_by_folder() {
  return blocked({Kind::folder, "A/one/a.h"},
                 {{Kind::remove, "A/one/a.h", {}, {}, false}, {Kind::write, "A/one/a.h", {}, two}});
}

Scenario blocked_by_permissions() {
  Scenario scenario = blocked({Kind::permissions, "A/one/a.h", "000"}, {{Kind::permissions, "A/one/a.h", "644"}});
  scenario.steps.insert(scenario.steps.begin(), {Kind::write, "A/one/a.h", {}, two, false});
  return scenario;
}

Scenario pasted_place() {
  const Text text = {"#define GLUE(a, b) a##b\n", "__device__ int size = sizeof(GLUE(__FI, LE__));\n"};
  return scenario(Backend::nvrtc, {"#include <a.h>\n", end[0]},
                  {{Kind::write, "A/one/a.h", {}, text}, {Kind::copy, "A", "B"}, {Kind::go, "B"}});
}

Scenario pasted_time() {
  const Text source = {"#define GLUE(a, b) a##b\n", "__device__ char when[] = GLUE(__TI, ME__);\n", end[0]};
  return scenario(Backend::nvrtc, source, {{Kind::wait}, {Kind::wait}});
}

/// The copy of the source that line information names lies in the cache folder, where no header is.
Scenario beside_a_copy(Backend backend, const std::string& lines) {
  Scenario beside = scenario(backend, {"#include \"a.h\"\n", end[0]},
                             {{Kind::write, "A/one/a.h", {}, one, false}, {Kind::write, "A/src/a.h", {}, two}});
  beside.setup.name = Setup::Name::relative;
  beside.setup.lines = lines;
  return beside;
}

/// Several names are absent, so that the folder is looked at. The file behind the link comes into another folder.
Scenario behind_a_link(Backend backend, std::vector<Step> before) {
  const Text source = {"#include <a.h>\n", "#if __has_include(<v.h>) || __has_include(<w.h>)\n#endif\n", end[0]};
  std::vector<Step> steps = {{Kind::write, "A/two/a.h", {}, one, false},
                             {Kind::write, "A/one/other.h", {}, one, false}};
  for (Step& step : before) steps.push_back(std::move(step));
  steps.push_back({Kind::symlink, "A/one/a.h", "../src/later.h"});
  steps.push_back({Kind::write, "A/src/later.h", {}, two});
  return scenario(backend, source, std::move(steps));
}

}  // namespace

std::vector<ClosedHole> closed_holes() {
  return {
      {"1. __has_include_next, a header is added to a later folder", asked_next(Backend::nvrtc)},
      {"1. __has_include_next by nvcc", asked_next(Backend::nvcc)},
      {"2. an alias of __has_include", asked_by_alias(Backend::nvrtc, "#define HI __has_include\n", "HI")},
      {"2. __has_include made by pasting",
       asked_by_alias(Backend::nvrtc, "#define CAT(a, b) a##b\n", "CAT(__has_, include)")},
      {"2. an alias of __has_include in an option", asked_by_option()},
      {"2. an alias of __has_include by nvcc", asked_by_alias(Backend::nvcc, "#define HI __has_include\n", "HI")},
      {"3. a copy of a #pragma once header, times and all, that nvcc's host compiler takes for the same", twin()},
      {"4. a folder in the place of a header, replaced by one", blocked_by_folder()},
      {"4. a header that could not be read", blocked_by_permissions(), true},
      {"6. __FILE__ made by pasting, in another checkout", pasted_place()},
      {"6. __TIME__ made by pasting", pasted_time()},
      {"7. -lineinfo, and a header beside the source's name", beside_a_copy(Backend::nvrtc, "-lineinfo")},
      {"7. the same by nvcc", beside_a_copy(Backend::nvcc, "-lineinfo")},
      {"7. the same, with -G", beside_a_copy(Backend::nvrtc, "-G")},
      {"8. a link that leads to nothing, and then to a header", behind_a_link(Backend::nvrtc, {})},
      {"8. the same by nvcc", behind_a_link(Backend::nvcc, {})},
      {"8. the same, where the link is new, too", behind_a_link(Backend::nvrtc, {{Kind::wait}})},
  };
}

}  // namespace kiln::oracle
