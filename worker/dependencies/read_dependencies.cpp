#include "worker/dependencies/read_dependencies.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "cache/file_observer.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/source_scan.hpp"
#include "worker/dependencies/dependency_paths.hpp"
#include "worker/dependencies/header_origin.hpp"
#include "worker/dependencies/pasted_names.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using Answer = FileQuestion::Answer;

class Reduction {
 public:
  Reduction(FileSystem& files, const HeaderSearchPaths& search, const FileRecord& record, bool strict,
            const std::vector<std::string>& words, const std::optional<GivenToNvrtc>& given)
      : files_(files),
        observer_(files, false),
        search_(search),
        paths_(files, search, record),
        strict_(strict),
        now_ns_(files.steady_ns()),
        words_(words),
        given_(given) {}

  void read_texts(std::string_view text_of_request) {
    read_text(text_of_request);
    if (given_) host_uses_[search_.source_root].add(host_uses(text_of_request), "the source");
    for (const auto& [name, text] : search_.memory) {
      fixes_all_ |= is_absolute(name);
      read_text(text);
      look_for_words(text, name);
    }
    report_.uses_own_path |= search_.uses_own_path;
  }

  void read(const FileRecord& record) {
    if (!record.gap.empty()) refuse("the record of what the compiler asked for has a gap: " + record.gap);
    for (const auto& [path, seen] : record.seen) note_seen(paths_.normalized(path), seen);
    if (record.asked_time) report_.refusal.add(Counter::refused_time, std::string(clock_refusal));
    for (const FileQuestion& question : record.questions) {
      if (paths_.is_irrelevant(question)) {
        look_into_own_header(question);
        continue;
      }
      const std::string path = paths_.normalized(question.path);
      if (search_.working_folder_roots == 0 && paths_.is_from_working_folder(path))
        refuse("it asks for " + plain_path(path) + " in the working folder, which its text does not show");
      for (const std::string& spelling : paths_.spellings(path)) take(spelling, question);
    }
  }

  DependencyReport finish() {
    for (const auto& [path, question] : asked_) note(path, question);
    for (const auto& [root, uses] : host_uses_)
      if (has_own_headers_ && report_.difference.empty() && !uses.tests_for_nvrtc)
        report_.difference = uses.difference(*given_);
    note_missing_names();
    note_pasted_names();
    Dependencies& found = report_.dependencies;
    for (auto& [name, folder] : folders_) {
      implied_.insert(name);
      found.folders.push_back(std::move(folder));
    }
    for (const auto& [path, question] : asked_)
      if (question.answer == Answer::folder && !is_implied(path)) note_obstacle(path, ObstacleDependency::Kind::folder);
    const std::size_t fixed = fixes_all_ ? search_.roots.paths.size() : fixes_own_ ? search_.own_roots : 0;
    for (std::size_t root = 0; root < fixed; ++root)
      found.absolute_paths.push_back({static_cast<int>(root), search_.roots.paths[root]});
    return std::move(report_);
  }

 private:
  /// What the compiler read cannot be known.
  void refuse(const std::string& reason) { report_.refusal.add(Counter::refused_unknown_headers, reason); }
  void refuse_as_changed(const std::string& path) {
    report_.refusal.add(Counter::refused_young_header, plain_path(path) + " changed while it was being compiled");
  }

  void note_seen(const std::string& path, const SeenState& seen) {
    seen_.try_emplace(plain_path(path), seen);
    FileStatus status;
    status.device = seen.state.front();
    status.ctime_ns = static_cast<std::int64_t>(seen.state.back());
    if (!has_coarse_times(status)) with_finer_times_.insert(status.device);
  }

  /// Whether a fingerprint identifies the content from now on. Only a change within the tick in which the state was
  /// first seen could leave it unchanged, and what was read after that tick includes such a change.
  bool is_old(const std::string& path, const FileStatus& status) const {
    const auto seen = seen_.find(plain_path(path));
    return seen != seen_.end() && seen->second.state == status.state() &&
           now_ns_ - seen->second.time_ns >= longest_tick_ns(status, with_finer_times_.count(status.device) != 0);
  }

  void take(const std::string& path, const FileQuestion& question) {
    const auto [known, is_new] = asked_.try_emplace(path, question);
    FileQuestion& asked = known->second;
    if (question.seen) note_seen(path, *question.seen);
    if (is_new) return;
    asked.opened |= question.opened;
    asked.differs |= question.differs;
    asked.add_seen(question.seen, question.content);
    if (asked.answer == question.answer) return;
    // A file that is there, and then cannot be opened.
    const auto are = [&](Answer a, Answer b) { return asked.answer == a && question.answer == b; };
    if (asked.opened || (!are(Answer::file, Answer::unreadable) && !are(Answer::unreadable, Answer::file)))
      return refuse_as_changed(path);
    asked.answer = Answer::unreadable;
  }

  void note(const std::string& path, const FileQuestion& asked) {
    if (asked.opened) note_read(path, asked.answer);
    switch (asked.answer) {
      case Answer::file:
        return note_file(path, asked);
      case Answer::absent:
        return note_absent(path);
      case Answer::folder:
        return;  // once its other files are known
      case Answer::other:
        return note_obstacle(path, ObstacleDependency::Kind::other);
      case Answer::unreadable:
        return note_obstacle(path, ObstacleDependency::Kind::unreadable);
    }
  }

  /// The compiler names this header so, which is what __FILE__ gives in it.
  void note_read(const std::string& path, Answer answer) {
    if (answer == Answer::folder) refuse("the names in the folder " + plain_path(path) + " were read");
    const int root = RootedPath::relate(path, search_.roots).root;
    if (root >= 0 && static_cast<std::size_t>(root) < search_.own_roots) report_.spelled_roots.insert(root);
  }

  /// Checks that the path still leads to the file that the compiler opened, with the same fingerprint and content. No
  /// clock is used.
  void note_file(const std::string& path, const FileQuestion& asked) {
    const bool is_read = asked.opened;
    std::string text;
    FileStatus status;
    if (const int result = read_file(files_, path, text, status); result != 0) {
      const bool is_other = result == -ENOENT || result == -ENOTDIR || result == -EISDIR || result == -EINVAL;
      return is_other ? refuse_as_changed(path) : refuse("cannot read " + plain_path(path) + " after the compile");
    }
    const Digest digest = digest_of(text);
    if (asked.differs || (asked.seen && asked.seen->state != status.state()) ||
        (asked.content && *asked.content != digest))
      return refuse_as_changed(path);
    implied_.insert(path);
    const bool is_own = origin_of(path, search_) == HeaderOrigin::own;
    if (is_own && is_read) read_text(text);
    if (given_ && is_read) read_uses(path, text, is_own);
    if (is_read) look_for_words(text, plain_path(path));
    if (!is_own && !strict_) return add_to_folder(path, digest);
    report_.dependencies.files.push_back({RootedPath::relate(path, search_.roots), status, digest,
                                          is_old(path, status) && observer_.has_reliable_times(path, status)});
  }

  void note_obstacle(const std::string& path, ObstacleDependency::Kind kind) {
    ObstacleDependency obstacle{RootedPath::relate(path, search_.roots), kind};
    Dependencies alone;
    alone.obstacles.push_back(obstacle);
    if (!unchanged(files_, search_.roots, alone)) return refuse_as_changed(path);
    implied_.insert(path);
    report_.dependencies.obstacles.push_back(std::move(obstacle));
  }

  void note_absent(const std::string& path) {
    const std::string missing = first_missing(path);
    if (missing.empty()) return refuse_as_changed(path);
    // Where a folder above the root is missing, it is the root that must not appear: another checkout's may lie in
    // a folder that is there.
    const int root = RootedPath::relate(path, search_.roots).root;
    const std::string root_path = root < 0 ? std::string() : RootedPath{root, ""}.resolve(search_.roots);
    if (root_path.size() >= missing.size()) {
      absent_alone_.insert(root_path);
    } else if (!observer_.lacks_name(missing)) {
      absent_alone_.insert(missing);  // a link: what appears behind it does not change the folder
    } else if (origin_of(path, search_) == HeaderOrigin::own || strict_) {
      missing_names_[folder_of(missing)].insert(file_name_of(missing));
    } else {
      add_to_folder(missing, Digest{});
    }
  }

  /// A toolkit stays NVIDIA's even if the user also names it as an include folder.
  void read_uses(const std::string& path, std::string_view text, bool is_own) {
    const bool is_libcuxx = path.ends_with("/cuda/std/cstdint") || path.ends_with("/cstdint_prelude.h");
    given_->long_int64 &= !is_libcuxx;
    const auto holds = [&path](const std::string& folder) { return rest_below(path, folder).has_value(); };
    const std::vector<std::string>& toolkit = search_.toolkit;
    if (!is_own || std::any_of(toolkit.begin(), toolkit.end(), holds)) return;
    host_uses_[RootedPath::relate(path, search_.roots).root].add(host_uses(text), path.substr(path.rfind('/') + 1));
    has_own_headers_ = true;
  }

  /// Two or more names in one folder cost as much as one.
  void note_missing_names() {
    for (const auto& [name, missing] : missing_names_) {
      FolderDependency folder{RootedPath::relate(name, search_.roots), {}, {}};
      const bool is_folder = !name.empty() && files_.status(name, folder.status) == 0 && folder.status.is_directory();
      for (const std::string& one : missing) {
        if (!is_folder || missing.size() == 1) absent_alone_.insert(std::string(name).append("/").append(one));
        folder.headers.push_back({one, Digest{}});
      }
      if (!is_folder || missing.size() == 1) continue;
      // Something else may be made in it at any moment, and that is no reason to refuse: the next look-up looks for
      // the names.
      folder.reliable_times = is_old(name, folder.status) && observer_.has_reliable_times(name, folder.status);
      implied_.insert(name);
      report_.dependencies.folders.push_back(std::move(folder));
    }
    for (const std::string& path : absent_alone_)
      report_.dependencies.absent.push_back(RootedPath::relate(path, search_.roots));
  }

  void add_to_folder(const std::string& path, const Digest& digest) {
    if (!in_folders_.insert(path).second) return;  // a folder is missing for all that was looked for in it
    const std::string name = folder_of(path);
    FolderDependency& folder = folders_[name];
    if (folder.headers.empty()) {
      folder.path = RootedPath::relate(name, search_.roots);
      if (files_.status(name, folder.status) != 0) refuse("cannot look at " + name);
      // Files found in it are compared one by one. If the folder changed during the compile, the next look-up checks
      // again.
      folder.reliable_times = is_old(name, folder.status);
    }
    folder.headers.push_back({path.substr(name.size() + 1), digest});
  }

  /// The first part of the path that is not there; empty where all of it is.
  std::string first_missing(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      std::string part = path.substr(0, end);
      const auto [known, is_new] = exists_.try_emplace(part);
      if (is_new) {
        FileStatus status;
        const int result = files_.status(part, status);
        if (result != 0 && result != -ENOENT && result != -ENOTDIR && result != -ENAMETOOLONG)
          refuse("cannot look at " + part);
        known->second = result == 0;
      }
      if (!known->second) return part;
      if (end == std::string::npos) return {};
    }
  }

  /// Whether something else can only stand if the folder is there.
  bool is_implied(const std::string& folder) const {
    const std::string below = folder == "/" ? folder : folder + "/";
    const auto next = implied_.lower_bound(below);
    return implied_.count(folder) != 0 || (next != implied_.end() && next->compare(0, below.size(), below) == 0);
  }

  /// What an own text says about its path, and about the clock, which no file access shows.
  void read_text(std::string_view text) {
    pasted_names_.read(text);
    const SourceScan scan = scan_source(text);
    for (const auto* names : {&scan.includes, &scan.has_includes})
      for (const HeaderName& header : *names) fixes_all_ |= is_absolute(header.name);
    fixes_own_ |= scan.macro_include || scan.macro_has_include;
    report_.uses_own_path |= scan.uses_own_path;
    if (scan.uses_time) refuse_for_clock();
  }

  void look_for_words(std::string_view text, const std::string& header) {
    for (const std::string& word : words_) {
      if (report_.known_word) return;
      if (const auto line = line_of_word(text, word))
        report_.known_word = KnownWord{word, "the header " + header, *line};
    }
  }

  /// NVRTC's own headers may be temporary files: nothing depends on them, but they have words, too.
  void look_into_own_header(const FileQuestion& question) {
    if (words_.empty() || !question.by_compiler || !question.opened || question.answer != Answer::file) return;
    const std::string path = paths_.normalized(question.path);
    std::string text;
    FileStatus status;
    if (origin_of(path, search_) != HeaderOrigin::toolkit || read_file(files_, path, text, status) != 0) return;
    look_for_words(text, file_name_of(path) + " of NVRTC's own");
  }

  void note_pasted_names() {
    fixes_own_ |= pasted_names_.ask_for_headers();
    report_.uses_own_path |= pasted_names_.use_own_path();
    if (pasted_names_.tell_time()) refuse_for_clock();
  }

  /// nvcc's host compiler looks at the clock where it needs it, which is in the record.
  void refuse_for_clock() {
    if (search_.compiler_folder.empty()) report_.refusal.add(Counter::refused_time, std::string(clock_refusal));
  }

  FileSystem& files_;
  FileObserver observer_;
  const HeaderSearchPaths& search_;
  DependencyPaths paths_;
  PastedNames pasted_names_;
  const bool strict_;
  const std::int64_t now_ns_;  // before anything is read
  const std::vector<std::string>& words_;
  std::optional<GivenToNvrtc> given_;
  std::map<int, HostUses> host_uses_;  // by root
  bool has_own_headers_ = false;
  DependencyReport report_;
  /// An own text names a header by its absolute path, which must not be taken for one below a root; or may do so.
  bool fixes_all_ = false;
  bool fixes_own_ = false;
  std::map<std::string, FileQuestion> asked_;
  /// By plain_path(): FileRecord::seen, and the files that were accessed, as first seen.
  std::unordered_map<std::string, SeenState> seen_;
  std::set<std::uint64_t> with_finer_times_;         // devices
  std::map<std::string, FolderDependency> folders_;  // the toolkit's
  std::unordered_set<std::string> in_folders_;
  std::set<std::string> absent_alone_;
  std::map<std::string, std::set<std::string>> missing_names_;  // by own folder
  std::set<std::string> implied_;                               // what is there while the dependencies stand
  std::unordered_map<std::string, bool> exists_;
};

}  // namespace

DependencyReport find_dependencies(FileSystem& files, const HeaderSearchPaths& search, std::string_view text,
                                   const FileRecord& record, bool strict, const std::vector<std::string>& words,
                                   const std::optional<GivenToNvrtc>& given) {
  Reduction reduction(files, search, record, strict, words, given);
  reduction.read_texts(text);
  reduction.read(record);
  return reduction.finish();
}

std::string own_text(std::string source, const std::vector<std::string>& options) {
  for (const std::string& option : options)
    if (!option.starts_with("-I")) source.append("\n").append(option);
  return source;
}

}  // namespace kiln
