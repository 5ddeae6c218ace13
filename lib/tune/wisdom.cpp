#include <kiln/wisdom.hpp>

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/text_parts.hpp"
#include "tune/wisdom_choice.hpp"
#include "tune/wisdom_files.hpp"
#include "tune/wisdom_line.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace kiln {

struct Wisdom::State {
  std::vector<std::filesystem::path> paths;
  std::vector<std::unique_ptr<WisdomFiles>> folders;
  std::mutex mutex;
  std::vector<WisdomRecord> in_memory;  // of from_text

  void add_folder(const std::filesystem::path& folder) {
    paths.push_back(folder);
    folders.push_back(std::make_unique<WisdomFiles>(folder.string()));
  }
};

namespace {

std::vector<std::filesystem::path> folders_of_environment() {
  std::vector<std::filesystem::path> folders;
  if (const auto stated = environment("KILN_WISDOM_DIR")) {
    for (const std::string& folder : split(*stated, ':')) folders.emplace_back(folder);
    return folders;
  }
  if (const auto data = environment("XDG_DATA_HOME"))
    folders.emplace_back(*data);
  else if (const auto home = environment("HOME"))
    folders.emplace_back(*home + "/.local/share");
  for (const std::string& data : split(environment("XDG_DATA_DIRS").value_or("/usr/local/share:/usr/share"), ':'))
    folders.emplace_back(data);
  for (std::filesystem::path& folder : folders) folder = folder / "kiln" / "wisdom";
  return folders;
}

bool is_alike(const WisdomRecord& a, const WisdomRecord& b) {
  return a.key == b.key && a.source == b.source && a.device == b.device && a.arch == b.arch && a.problem == b.problem &&
         a.objective == b.objective;
}

std::vector<WisdomRecord> best_of_each(const std::vector<WisdomRecord>& records) {
  std::vector<WisdomRecord> best;
  for (const WisdomRecord& record : records) {
    const auto found = std::find_if(best.begin(), best.end(), [&](const auto& one) { return is_alike(one, record); });
    if (found == best.end())
      best.push_back(record);
    else if (is_wiser(record, *found))
      *found = record;
  }
  return best;
}

}  // namespace

const char* to_string(WisdomMatch match) noexcept {
  switch (match) {
    case WisdomMatch::exact:
      return "exact";
    case WisdomMatch::device:
      return "device";
    case WisdomMatch::arch:
      return "arch";
  }
  return "unknown";
}

Wisdom::Wisdom() : state_(std::make_shared<State>()) {
  for (const std::filesystem::path& folder : folders_of_environment()) state_->add_folder(folder);
}

Wisdom::Wisdom(const std::filesystem::path& folder) : state_(std::make_shared<State>()) { state_->add_folder(folder); }

Wisdom::Wisdom(std::shared_ptr<State> state) : state_(std::move(state)) {}

Wisdom Wisdom::from_text(std::string_view text) {
  WisdomLines lines = read_wisdom(text);
  if (lines.skipped != 0)
    log_message(LogLevel::warn, "Wisdom::from_text: lines that cannot be read are skipped: " + lines.skipped_text());
  auto state = std::make_shared<State>();
  state->in_memory = std::move(lines.records);
  return Wisdom(std::move(state));
}

void Wisdom::add(const WisdomRecord& record) const {
  if (record.key.empty()) refuse("Wisdom::add", "a record with a key", "one without");
  if (!state_->folders.empty()) return state_->folders.front()->append(record);
  const std::lock_guard lock(state_->mutex);
  state_->in_memory.push_back(record);
}

std::size_t Wisdom::merge(const Wisdom& other) const {
  std::set<std::string> here;
  const std::string own = text();
  for (std::string_view rest = own; !rest.empty();) here.emplace(next_line(rest));
  const std::string theirs = other.text();
  std::size_t added = 0;
  for (const WisdomRecord& record : read_wisdom(theirs).records) {
    std::string line = wisdom_line(record);
    line.pop_back();
    if (!here.insert(std::move(line)).second) continue;
    add(record);
    ++added;
  }
  return added;
}

std::size_t Wisdom::prune() const {
  if (!state_->folders.empty()) return state_->folders.front()->prune(best_of_each);
  const std::lock_guard lock(state_->mutex);
  const std::size_t before = state_->in_memory.size();
  state_->in_memory = best_of_each(state_->in_memory);
  return before - state_->in_memory.size();
}

std::vector<WisdomRecord> Wisdom::records(std::string_view key) const {
  std::vector<WisdomRecord> all;
  {
    const std::lock_guard lock(state_->mutex);
    for (const WisdomRecord& record : state_->in_memory)
      if (record.key == key) all.push_back(record);
  }
  for (const auto& folder : state_->folders)
    for (WisdomRecord& record : folder->records(key)) all.push_back(std::move(record));
  return all;
}

std::vector<std::string> Wisdom::keys() const {
  std::set<std::string> keys;
  const std::string lines = text();
  for (const WisdomRecord& record : read_wisdom(lines).records) keys.insert(record.key);
  return {keys.begin(), keys.end()};
}

std::optional<WisdomChoice> Wisdom::best(std::string_view key, std::string_view device, std::string_view arch,
                                         const ProblemSize& problem, std::string_view source) const {
  return choose_wisdom(records(key), {device, arch, problem, source}, [](const WisdomRecord&) { return true; });
}

std::string Wisdom::text() const {
  std::string text;
  {
    const std::lock_guard lock(state_->mutex);
    for (const WisdomRecord& record : state_->in_memory) text += wisdom_line(record);
  }
  for (const auto& folder : state_->folders)
    for (const WisdomRecord& record : folder->all_records()) text += wisdom_line(record);
  return text;
}

const std::vector<std::filesystem::path>& Wisdom::folders() const noexcept { return state_->paths; }

}  // namespace kiln
