#include "generator.hpp"

#include <algorithm>
#include <utility>

namespace kiln::oracle {

namespace {

using Kind = Step::Kind;

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

Generator::Generator(std::uint64_t seed, Backend backend, bool knows_has_include_next)
    : random_(seed), backend_(backend), writer_(random_, backend, knows_has_include_next) {
  scenario_.seed = seed;
}

Scenario Generator::generate(std::size_t steps) {
  scenario_.setup = setup();
  scenario_.source = writer_.source(scenario_.setup.lines.empty());
  begin();
  while (steps > 0) {
    Step step = next();
    note(step);
    scenario_.steps.push_back(std::move(step));
    --steps;
  }
  return std::move(scenario_);
}

Setup Generator::setup() {
  Setup setup;
  const bool is_nvcc = backend_ == Backend::nvcc;
  setup.backend = backend_;
  setup.folders = static_cast<Setup::Folders>(random_.below(is_nvcc ? 5 : 4));
  setup.name = static_cast<Setup::Name>(random_.below(3));
  if (random_.chance(25)) setup.way = random_.chance(50) ? Setup::Way::read_only : Setup::Way::worker;
  setup.strict = random_.chance(15);
  setup.extern_c = random_.chance(10);
  setup.for_emulator = random_.chance(15);
  if (setup.for_emulator || random_.chance(15)) setup.target = Target::cubin;
  setup.works_elsewhere = random_.chance(15);
  setup.options = writer_.options();
  if (random_.chance(25)) setup.lines = random_.chance(60) ? "-lineinfo" : "-G";
  // Definitions are read from PTX; compile_all makes none for an emulator.
  if (!setup.lines.empty()) setup.target = Target::ptx;
  return setup;
}

void Generator::begin() {
  const auto write = [&](const std::string& path) {
    Step step{Kind::write, path, {}, writer_.header(), false};
    note(step);
    scenario_.steps.push_back(std::move(step));
  };
  for (const char* name : {"a.h", "b.h", "c.h", "d/a.h", "d/b.h"}) {
    const std::vector<std::string> folders = {"A/one/", "A/two/", "A/two/", "A/three/"};
    write(random_.pick(folders) + name);
  }
  for (std::size_t more = random_.below(4); more > 0; --more) write(some_place());
  if (random_.chance(60)) {
    scenario_.steps.push_back({Kind::copy, "A", "B", {}, false});
    note(scenario_.steps.back());
  }
  scenario_.steps.back().asks = true;
}

std::string Generator::some_place() {
  const std::vector<std::string> folders = {"one", "one", "two", "two", "three", "src", "off"};
  const std::vector<std::string> names = {"a.h", "b.h", "c.h", "d/a.h", "d/b.h"};
  const std::string rare = backend_ == Backend::nvcc ? "x.h" : "stdint.h";
  return here_ + "/" + random_.pick(folders) + "/" + (random_.chance(5) ? rare : random_.pick(names));
}

std::string Generator::some_file() {
  std::vector<std::string> here;
  for (const auto& [path, text] : files_)
    if (path.substr(0, 1) == here_) here.push_back(path);
  return here.empty() ? some_place() : random_.pick(here);
}

Step Generator::next() {
  const std::size_t kind = random_.below(100);
  if (random_.chance(10)) return meanwhile();
  if (kind < 24) return edit();
  if (kind < 47) return add();
  if (kind < 54) return {Kind::remove, some_file()};
  if (kind < 68) return link();
  if (kind < 78) return move();
  if (kind < 83) return block();
  if (kind < 88) return change_state();
  if (kind < 92) return change_request();
  return visit();
}

Step Generator::edit() {
  const std::string path = some_file();
  const std::vector<Kind> ways = {Kind::write, Kind::replace, Kind::rewrite, Kind::rewrite};
  const auto known = files_.find(path);
  return {random_.pick(ways), path, {}, known == files_.end() ? writer_.header() : writer_.edited(known->second)};
}

Step Generator::add() {
  // Often by a name that another folder has, which is then shadowed.
  std::string path = some_place();
  return {random_.chance(70) ? Kind::write : Kind::replace, std::move(path), {}, writer_.header()};
}

Step Generator::link() {
  const std::string from = some_file();
  const std::string to = some_place();
  switch (random_.below(4)) {
    case 0:
      return {Kind::copy, from, to};
    case 1:
      return {Kind::hard_link, from, to};
    case 2: {
      // Out of the folders below the checkout's: "../two/a.h"; a third of them leads to what may not be there.
      const std::string target = random_.chance(66) ? from : some_place();
      const std::string up = to.find("/d/") == to.npos ? "../" : "../../";
      return {Kind::symlink, to, up + target.substr(2)};
    }
    default: {
      const std::vector<std::string> folders = {"one", "two", "three"};
      return {Kind::symlink, here_ + "/" + random_.pick(folders) + "/d", "../" + random_.pick(folders) + "/d"};
    }
  }
}

Step Generator::move() {
  const std::vector<std::string> folders = {"one", "two", "three", "one/d", "two/d", "aside"};
  switch (random_.below(5)) {
    case 0:
      return {Kind::exchange, some_file(), some_file()};
    case 1:
      return {Kind::rename, here_ + "/" + random_.pick(folders), here_ + "/" + random_.pick(folders)};
    case 2:
      return {Kind::exchange, here_ + "/" + random_.pick(folders), here_ + "/" + random_.pick(folders)};
    default:
      return {Kind::rename, some_file(), some_place()};
  }
}

Step Generator::block() {
  switch (random_.below(4)) {
    case 0:
      return {Kind::folder, some_file()};
    case 1:
      return {Kind::folder, some_place()};
    case 2:
      return {Kind::remove, folder_of(some_file())};
    default:
      return {Kind::symlink, some_place(), random_.chance(50) ? "/dev/null" : "a.h"};  // or itself
  }
}

Step Generator::change_state() {
  const std::string path = some_file();
  switch (random_.below(5)) {
    case 0:
      return {Kind::touch, path};
    case 1:
      return {Kind::date, path};
    case 4:
      return {Kind::future, path};
    case 2: {
      const std::vector<std::string> modes = {"644", "600", "444", "000"};
      return {Kind::permissions, path, random_.pick(modes)};
    }
    default:
      return {Kind::permissions, folder_of(path), random_.chance(50) ? "000" : "755"};
  }
}

Step Generator::change_request() {
  if (random_.chance(20)) {
    const std::vector<std::string> headers = {"\"a.h\"", "<b.h>", "\"d/a.h\"", ""};
    return random_.chance(50) ? Step{Kind::late_macro, "LATE_VALUE", random_.chance(70) ? "77777" : ""}
                              : Step{Kind::late_macro, "LATE_HEADER", random_.pick(headers)};
  }
  if (random_.chance(40))
    return {Kind::macro, "M" + std::to_string(random_.below(3)), random_.chance(50) ? "77777" : ""};
  const std::vector<std::string> names = {"m.h", "d/m.h", "a.h", "d/a.h"};
  return {Kind::memory, random_.pick(names), {}, random_.chance(60) ? writer_.header() : Text{}};
}

Step Generator::visit() {
  const std::string other = here_ == "A" ? "B" : "A";
  const bool is_there =
      std::any_of(files_.begin(), files_.end(), [&](const auto& file) { return file.first.substr(0, 1) == other; });
  return is_there && random_.chance(75) ? Step{Kind::go, other} : Step{Kind::copy, here_, other};
}

/// A file or folder exchanged with another one, or with a link, during a compile, and perhaps back.
Step Generator::meanwhile() {
  const std::vector<std::string> folders = {"one", "two", "three", "one/d", "two/d"};
  std::string path = some_file();
  std::string other = some_file();
  if (random_.chance(40)) {
    path = here_ + "/" + random_.pick(folders);
    other = here_ + "/" + random_.pick(folders);
  }
  if (random_.chance(50)) {
    // A link in an otherwise unused folder of the checkout, which then replaces the file or folder.
    const std::string target = other.substr(2);
    const bool is_deep = std::count(path.begin(), path.end(), '/') > 1;
    other = here_ + "/links/" + (is_deep ? "d/" : "") + std::to_string(random_.below(1000));
    Step link{Kind::symlink, other, (is_deep ? "../../" : "../") + target, {}, false};
    note(link);
    scenario_.steps.push_back(std::move(link));
  }
  Step step{Kind::meanwhile, path, other};
  const std::size_t longest = backend_ == Backend::nvcc ? 1500 : 120;
  for (std::size_t count = 1 + random_.below(3); count > 0; --count)
    step.moments.push_back(static_cast<unsigned>(random_.below(longest)));
  std::sort(step.moments.begin(), step.moments.end());
  return step;
}

/// What the files are after the step.
void Generator::note(const Step& step) {
  const auto below = [](const std::string& path, const std::string& folder) {
    return path == folder || path.substr(0, folder.size() + 1) == folder + "/";
  };
  const auto take = [&](const std::string& folder, bool leave) {
    std::map<std::string, Text> taken;
    for (auto it = files_.begin(); it != files_.end();) {
      if (!below(it->first, folder)) {
        ++it;
        continue;
      }
      taken[it->first.substr(folder.size())] = it->second;
      it = leave ? std::next(it) : files_.erase(it);
    }
    return taken;
  };
  switch (step.kind) {
    case Kind::write:
    case Kind::replace:
    case Kind::rewrite:
      files_[step.path] = step.text;
      break;
    case Kind::remove:
      take(step.path, false);
      break;
    case Kind::folder:
    case Kind::symlink:
      take(step.path, false);
      break;
    case Kind::copy:
    case Kind::hard_link:
    case Kind::rename:
      for (auto& [rest, text] : take(step.path, step.kind != Kind::rename)) files_[step.to + rest] = std::move(text);
      break;
    case Kind::meanwhile:
      if (step.moments.size() % 2 == 0) break;
      [[fallthrough]];
    case Kind::exchange: {
      auto first = take(step.path, false);
      auto second = take(step.to, false);
      for (auto& [rest, text] : first) files_[step.to + rest] = std::move(text);
      for (auto& [rest, text] : second) files_[step.path + rest] = std::move(text);
      break;
    }
    case Kind::go:
      here_ = step.path;
      break;
    default:
      break;
  }
}

}  // namespace kiln::oracle
