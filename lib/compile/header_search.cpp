#include "compile/header_search.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/header_origin.hpp"
#include "compile/header_trace.hpp"
#include "compile/include_cycle.hpp"
#include "compile/memory_headers.hpp"
#include "compile/source_scan.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kiln {

namespace {

/// Where a text's quoted includes are looked for.
struct TextPlace {
  std::string folder;                        // on disk
  std::optional<std::string> memory_folder;  // of the source and of in-memory headers: there, and first
};

class Collector {
 public:
  Collector(FileSystem& files, const HeaderSearch& search, bool strict, bool follow, std::int64_t start_ns)
      : files_(files),
        search_(search),
        strict_(strict),
        follow_(follow),
        start_ns_(start_ns),
        here_(search.floating_roots != 0 ? floating_folder(search.working_folder) : search.working_folder) {}

  /// The source, and the headers that live in memory.
  void add_texts(std::string_view source) {
    scan(source, {search_.source_dir, ""}, HeaderOrigin::own);
    for (const auto& header : search_.memory) {
      if (is_absolute(header.first)) fixes_all_ = true;
      scan(header.second, {search_.source_dir, folder_of(header.first)}, HeaderOrigin::own);
    }
    for (const std::string& name : search_.forced) look_for({name, true}, {here_, std::nullopt});
  }

  /// What the compiler read, told before all else: these texts are to be scanned, however the search comes upon them.
  void note_read(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (name != nvrtc_builtin_header && search_.memory.count(name) == 0) {
        note_read(name);
      }
  }
  void note_read(const std::string& name) {
    if (!is_absolute(name)) {
      read_.insert(joined(here_, name));
      return;
    }
    // nvcc's host compiler was given the working folder by its absolute path: through which root it came to the header
    // cannot be seen, and so each that holds it is to have it still.
    const auto rest = search_.quotes_reach_source ? rest_below(name, search_.working_folder) : std::nullopt;
    if (rest && search_.floating_roots != 0) {
      read_.insert(joined(here_, *rest));
      spell(joined(here_, *rest));
      if (RootedPath::relate(name, search_.roots).root < 0) return;
    }
    read_.insert(name);
    spell(name);
  }
  void add_traced() {
    std::set<std::string> rests;
    for (const std::string& path : read_) record(path);
    // nvcc's host compiler lists all.
    if (!search_.quotes_reach_source) add_headers_in_cycles();
    for (const std::string& path : read_) note_earlier_places(path, rests);
    note_second_names();
    for (const std::string& name : search_.stand_ins)
      for (const std::string& dir : search_.dirs) require_absent(joined(dir, name));
    // An #include of a macro may have been a quoted one, which looks beside the including file first.
    for (const std::string& folder : macro_folders_)
      for (const std::string& rest : rests) require_absent(joined(folder, rest));
  }

  /// Without a trace: everything that the texts mention, to the end.
  void follow_all() {
    while (!pending_.empty()) {
      const std::string path = std::move(pending_.back());
      pending_.pop_back();
      spell(path);
      record(path);
    }
  }

  HeaderReport finish() {
    Dependencies& found = report_.dependencies;
    for (const std::string& path : absent_) {
      // A new name in a folder of the toolkit shows in the folder's own time, as a changed header does.
      if (origin_of(path, search_) == HeaderOrigin::own || strict_) {
        found.absent.push_back(RootedPath::relate(path, search_.roots));
      } else {
        add_to_folder(path, Digest{});
      }
    }
    for (auto& folder : folders_) found.folders.push_back(std::move(folder.second));
    for (const FileDependency& file : found.files) refuse_if_racy(file.status, file.path.resolve(search_.roots));
    for (const FolderDependency& folder : found.folders)
      refuse_if_racy(folder.status, folder.path.resolve(search_.roots));
    const std::size_t fixed = fixes_all_ ? search_.roots.paths.size() : !macro_folders_.empty() ? search_.own_roots : 0;
    for (std::size_t root = 0; root < fixed; ++root)
      found.places.push_back({static_cast<int>(root), search_.roots.paths[root]});
    report_.tells_place |= search_.tells_place;
    return std::move(report_);
  }

 private:
  /// What the compile read cannot be known.
  void refuse(const std::string& reason) { report_.refusal.add(Counter::refused_unknown_headers, reason); }
  /// A file that was not young when the compile began was finished before the compile read it (rule C6).
  void refuse_if_racy(const FileStatus& status, const std::string& path) {
    if (is_young(status, start_ns_))
      report_.refusal.add(Counter::refused_young_header,
                          settled_path(path) + " changed just before or during the compile");
  }

  /// The first part of the path that is not there; empty where all of it is.
  std::string first_missing(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      std::string part = path.substr(0, end);
      auto known = exists_.find(part);
      if (known == exists_.end()) {
        FileStatus status;
        const int result = files_.status(part, status);
        if (result != 0 && result != -ENOENT && result != -ENOTDIR) refuse("cannot look at " + part);
        known = exists_.emplace(part, result == 0).first;
      }
      if (!known->second) return part;
      if (end == std::string::npos) return {};
    }
  }
  /// Notes that nothing may come to be at `path`. False where something is there: it was no candidate after all, unless
  /// it came too late for the compiler to see it.
  bool require_absent(const std::string& path) {
    std::string missing = first_missing(path);
    if (missing.empty()) {
      FileStatus status;
      if (files_.status(path, status) == 0 && status.is_regular()) refuse_if_racy(status, path);
      return false;
    }
    // Where a folder above the root is missing, it is the root that must not come to be: another checkout's may lie in
    // a folder that is there.
    const RootedPath rooted = RootedPath::relate(path, search_.roots);
    if (rooted.root >= 0 && path.size() - rooted.path.size() > missing.size())
      missing = RootedPath{rooted.root, ""}.resolve(search_.roots);
    absent_.insert(std::move(missing));
    return true;
  }

  /// A header found in one folder of the search would have been taken from an earlier one.
  void note_earlier_places(const std::string& path, std::set<std::string>& rests) {
    for (std::size_t k = 0; k < search_.dirs.size(); ++k) {
      const auto rest = rest_below(path, search_.dirs[k]);
      if (!rest || rest->empty()) continue;
      rests.insert(*rest);
      for (std::size_t j = 0; j < k; ++j) require_absent(joined(search_.dirs[j], *rest));
    }
    // Also where an option names it: the host compiler leaves a folder of its own where it is, the last.
    if (!is_in_system(path, search_)) return;
    const std::string rest = rest_in_system(path);
    rests.insert(rest);
    for (const std::string& dir : search_.dirs) require_absent(joined(dir, rest));
  }

  /// Those that NVRTC's trace leaves out. That a header is only mentioned, and not read, costs a compile where it
  /// changes.
  void add_headers_in_cycles() {
    std::set<std::string> ends;  // paths that lead back to none
    // By index: what is found has mentions of its own.
    for (std::size_t i = 0; i < mentions_.size(); ++i) {
      const auto [header, folder] = mentions_[i];
      if (search_.memory.count(header.name) != 0) continue;
      const std::string path = included_file(files_, search_, header, folder);
      FileStatus status;
      if (path.empty() || files_.status(path, status) != 0) continue;
      // In a circle by "../" each turn spells the path in a longer way: it is the file that counts.
      if (same_files_.count({status.device, status.inode}) != 0 || ends.count(path) != 0) continue;
      if (!may_include_itself(files_, search_, path)) {
        ends.insert(path);
        continue;
      }
      same_files_.insert({status.device, status.inode});
      read_.insert(path);
      if (seen_.count(path) == 0) {
        record(path);
      } else if (std::string text; read_file(files_, path, text) == 0) {
        scan(text, {folder_of(path), std::nullopt}, HeaderOrigin::own);  // noted before as one that __has_include found
      }
    }
  }

  /// A header under #pragma once that stands in the texts under two paths: the trace tells the first alone, but the
  /// second is as much looked for.
  void note_second_names() {
    for (const auto& [header, folder] : std::exchange(mentions_, {})) {
      std::vector<std::string> places;
      if (header.quoted || is_absolute(header.name)) places.push_back(joined(folder, header.name));
      for (const std::string& dir : search_.dirs) places.push_back(joined(dir, header.name));
      for (std::size_t i = 0; i < places.size(); ++i) {
        FileStatus status;
        if (files_.status(places[i], status) != 0 || !status.is_regular()) continue;
        if (read_.count(places[i]) != 0 || same_files_.count({status.device, status.inode}) == 0) break;
        record(places[i]);
        for (std::size_t earlier = 0; earlier < i; ++earlier) require_absent(places[earlier]);
        break;
      }
    }
  }

  void look_for(const HeaderName& header, const TextPlace& place) {
    const bool in_memory = !header.next && means_memory(header, place);
    if (in_memory && place.memory_folder) return;
    if (is_absolute(header.name)) {
      if (!in_memory && !require_absent(header.name)) found(header.name);
      return;
    }
    std::vector<std::string> folders;
    if (header.quoted) folders.push_back(place.folder);
    if (!in_memory) {
      if (header.quoted && search_.quotes_reach_source) folders.push_back(search_.source_dir);
      folders.insert(folders.end(), search_.dirs.begin(), search_.dirs.end());
    }
    for (const std::string& dir : folders) {
      if (require_absent(joined(dir, header.name))) continue;
      found(joined(dir, header.name));
      if (!header.next) return;
    }
  }
  bool means_memory(const HeaderName& header, const TextPlace& place) const {
    return !memory_header_for(search_.memory, place.memory_folder.value_or(""), header.name, header.quoted).empty();
  }
  void found(const std::string& path) {
    if (follow_) {
      pending_.push_back(path);
    } else {
      record(path);
    }
  }

  /// The compiler names this header so, which is what __FILE__ gives in it.
  void spell(const std::string& path) {
    const int root = RootedPath::relate(path, search_.roots).root;
    if (root >= 0 && static_cast<std::size_t>(root) < search_.own_roots) report_.spelled_roots.insert(root);
  }

  /// Notes a header's state, and looks for more in its text where the compiler read it.
  void record(const std::string& path) {
    if (!seen_.insert(path).second) return;
    std::string text;
    FileStatus status;
    const int result = read_file(files_, path, text, status);
    if (result == -EISDIR) return;  // no header: the compiler goes on looking
    if (result != 0) return refuse("cannot read " + settled_path(path) + " after the compile");
    const HeaderOrigin from = origin_of(path, search_);
    const Digest digest = digest_of(text);
    if (from == HeaderOrigin::own || strict_) {
      report_.dependencies.files.push_back({RootedPath::relate(path, search_.roots), status, digest});
    } else {
      add_to_folder(path, digest);
    }
    if (!follow_ && read_.count(path) == 0) return;
    same_files_.insert({status.device, status.inode});
    if (follow_ && is_another_spelling(path, status)) return;
    scan(text, {folder_of(path), std::nullopt}, from);
  }
  /// Of a path through "../" that was followed: in a circle of includes each turn spells a longer one. The folder
  /// counts, too, because a link to a file in another folder has other neighbours.
  bool is_another_spelling(const std::string& path, const FileStatus& file) {
    if (path.find("/../") == std::string::npos) return false;
    FileStatus folder;
    if (files_.status(folder_of(path), folder) != 0) return false;
    return !followed_.insert({file.device, file.inode, folder.device, folder.inode}).second;
  }
  void add_to_folder(const std::string& path, const Digest& digest) {
    const std::string name = folder_of(path);
    FolderDependency& folder = folders_[name];
    if (folder.headers.empty()) {
      folder.path = RootedPath::relate(name, search_.roots);
      if (files_.status(name, folder.status) != 0) refuse("cannot look at " + name);
    }
    folder.headers.push_back({path.substr(name.size() + 1), digest});
  }

  void scan(std::string_view text, const TextPlace& place, HeaderOrigin from) {
    const std::string& folder = place.folder;
    // Most of a toolkit's headers ask nothing, and there are hundreds.
    if (from == HeaderOrigin::toolkit && !follow_ && text.find("has_include") == std::string_view::npos &&
        text.find("HAS_INCLUDE") == std::string_view::npos)
      return;
    const SourceScan scan = scan_source(text);
    for (const HeaderName& header : scan.has_includes) look_for(header, place);
    if (follow_) {
      for (const HeaderName& header : scan.includes) look_for(header, place);
      if (scan.macro_include)
        refuse("an #include of a macro in " + folder + ", and this NVRTC does not list the headers it reads");
    }
    if (from == HeaderOrigin::toolkit) return;
    for (const auto* names : {&scan.includes, &scan.has_includes})
      for (const HeaderName& header : *names) fixes_all_ |= is_absolute(header.name);
    report_.tells_place |= scan.tells_place;
    if (!follow_)
      for (const HeaderName& header : scan.includes) mentions_.emplace_back(header, folder);
    for (const HeaderName& header : scan.includes)
      if (header.quoted && (!place.memory_folder || !means_memory(header, place) || is_stand_in(header)))
        if (require_absent(joined(folder, header.name)) && search_.quotes_reach_source)
          require_absent(joined(search_.source_dir, header.name));
    if (scan.macro_include) macro_folders_.insert(folder);
    if (scan.macro_has_include) refuse("__has_include of a macro: what it looks for cannot be known");
    if (scan.embeds) refuse("#embed: what it reads is not tracked");
    if (scan.uses_time) report_.refusal.add(Counter::refused_time, std::string(clock_refusal));
  }

  bool is_stand_in(const HeaderName& header) const { return search_.stand_ins.count(header.name) != 0; }

  FileSystem& files_;
  const HeaderSearch& search_;
  const bool strict_;
  const bool follow_;
  const std::int64_t start_ns_;
  const std::string here_;  // relative paths count from it
  HeaderReport report_;
  /// A file and its folder, by device and inode.
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> followed_;
  std::map<std::string, FolderDependency> folders_;
  /// An own text names a header by its absolute path, which must not be taken for one below a root.
  bool fixes_all_ = false;
  std::set<std::string> absent_;
  std::set<std::string> macro_folders_;
  std::set<std::string> read_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> same_files_;  // device and inode of each of read_
  std::vector<std::pair<HeaderName, std::string>> mentions_;      // of own texts, and the folder of the text
  std::vector<std::string> pending_;
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, bool> exists_;
};

}  // namespace

std::string floating_folder(const std::string& working_folder) { return joined(working_folder, "./."); }

std::string settled_path(const std::string& floating) {
  const std::size_t mark = (floating + "/").find("/././");
  if (mark == std::string::npos) return floating;
  return floating.size() <= mark + 5 ? floating.substr(0, std::max<std::size_t>(mark, 1))
                                     : floating.substr(0, mark) + floating.substr(mark + 4);
}

HeaderReport find_dependencies(FileSystem& files, const HeaderSearch& search, std::string_view source,
                               const std::optional<std::vector<std::string>>& traced, bool strict,
                               std::int64_t start_ns) {
  Collector collector(files, search, strict, !traced, start_ns);
  if (traced) collector.note_read(*traced);
  collector.add_texts(source);
  if (traced) {
    collector.add_traced();
  } else {
    collector.follow_all();
  }
  return collector.finish();
}

}  // namespace kiln
