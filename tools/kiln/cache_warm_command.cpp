// kiln cache warm: compiles what KILN_RECORD listed.
#include "base/environment.hpp"
#include "base/printable_text.hpp"
#include "base/text_parts.hpp"
#include "cache/location.hpp"
#include "commands.hpp"
#include "compile/batch.hpp"
#include "compile/options/arch.hpp"
#include "compile/record/record.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "recorded_request.hpp"
#include "source_file.hpp"
#include "usage.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kiln::tool {

namespace {

using Kind = RecordedRequest::Kind;

/// This process's folder and variables become those of the run. One without its folder stays where it is: then nothing
/// relative is found, and the compiler says so.
void go_to(const RecordedPlace& place) {
  for (const char* name : recorded_variables) {
    const auto value = place.environment.find(name);
    if (value == place.environment.end())
      ::unsetenv(name);
    else
      ::setenv(name, value->second.c_str(), 1);
  }
  if (!place.folder.empty() && ::chdir(place.folder.c_str()) != 0)
    say("kiln: " + printable_word(place.folder) +
        ", where the run was, is not here: relative names of headers count from this folder\n");
}

std::string name_of(const RecordedRequest& request) {
  const std::string name =
      request.name().empty() ? request.kind == Kind::link ? "linked" : "kernel.cu" : printable_word(request.name());
  return request.place.device_arch.empty() ? name : name + " for " + request.place.device_arch;
}

class Warming {
 public:
  explicit Warming(const WarmArguments& arguments) : arguments_(arguments) {
    for (const std::string& arch : arguments.archs) {
      Arch parsed = asked_arch(arch);
      parsed.real = true;
      archs_.push_back(parsed.text());
    }
    const std::string text = read_input(arguments.file);
    std::string_view rest = text;
    for (std::size_t number = 1; !rest.empty(); ++number) add_line(next_line(rest), number);
  }

  void compile() {
    const Progress progress;
    for (auto& [place, requests] : requests_) {
      go_to(place);
      compile_sources(place, requests, progress);
      for (const RecordedRequest& request : requests) {
        if (request.kind == Kind::compile_plain)
          finish(progress, request, [&] { return compile_plain(request.source.text, request.source.options); });
        if (request.kind == Kind::link) finish(progress, request, [&] { return link_recorded(request); });
      }
    }
  }

  int summarise() const {
    for (const std::string& failure : failures_) say("kiln: " + failure + "\n");
    say(std::to_string(compiled_) + " compiled, " + std::to_string(from_cache_) + " from the cache, " +
        std::to_string(failures_.size()) + " failed\n");
    return failures_.empty() ? success : status_;
  }

 private:
  void add_line(std::string_view line, std::size_t number) {
    if (line.empty()) return;
    try {
      const RecordedRequest request = read_request(line);
      const bool is_for_given = request.is_for_device() && !archs_.empty();
      // What stands before the place is the same in all lines of a request.
      for (const std::string& arch : is_for_given ? archs_ : std::vector<std::string>{request.place.device_arch})
        add(request, line, arch);
    } catch (const Error& error) {
      fail(arguments_.file + ":" + std::to_string(number), error.what());
    }
  }

  /// The same request was recorded for each device that the run had.
  void add(RecordedRequest request, std::string_view line, const std::string& arch) {
    const std::string recorded = "\"device_arch\":\"" + request.place.device_arch + "\",";
    std::string same(line);
    if (const auto at = same.find(recorded); !request.place.device_arch.empty() && at != std::string::npos)
      same.erase(at, recorded.size());
    if (!known_.insert(arch + "\n" + same).second) return;
    request.place.device_arch = arch;
    ++total_;
    requests_[request.place].push_back(std::move(request));
  }

  void compile_sources(const RecordedPlace& place, const std::vector<RecordedRequest>& all, const Progress& progress) {
    std::vector<CompileRequest> requests;
    std::vector<const RecordedRequest*> recorded;
    for (const RecordedRequest& request : all) {
      if (request.kind != Kind::compile) continue;
      requests.push_back({request.source.text, request.source.options});
      recorded.push_back(&request);
    }
    Batch batch(requests, std::vector<std::string>(requests.size(), place.device_arch));
    batch.run(arguments_.jobs != 0 ? arguments_.jobs : default_jobs(), [&](const CompileProgress& now) {
      progress.step(++done_, total_, name_of(*recorded[now.index]));
      return true;
    });
    const std::vector<CompileResult> results = batch.take();
    for (std::size_t i = 0; i < results.size(); ++i) note(*recorded[i], [&] { return results[i].get(); });
  }

  void finish(const Progress& progress, const RecordedRequest& request, const std::function<CodeObject()>& make) {
    note(request, make);
    progress.step(++done_, total_, name_of(request));
  }

  void note(const RecordedRequest& request, const std::function<CodeObject()>& result) {
    try {
      ++(result().from_cache() ? from_cache_ : compiled_);
    } catch (const ToolkitError& error) {
      status_ = missing_component;
      fail(name_of(request), error_text(error));
    } catch (const Error& error) {
      fail(name_of(request), error_text(error));
    }
  }

  void fail(const std::string& what, const std::string& why) { failures_.push_back(what + ": " + why); }

  const WarmArguments& arguments_;
  std::vector<std::string> archs_;
  std::set<std::string> known_;
  std::map<RecordedPlace, std::vector<RecordedRequest>> requests_;
  std::vector<std::string> failures_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::size_t compiled_ = 0;
  std::size_t from_cache_ = 0;
  int status_ = failed;
};

/// This command is there to compile, and to fill one folder, wherever it goes meanwhile.
void settle_environment() {
  if (cache_disabled())
    throw Error("KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE is set: nothing that is compiled would be kept");
  ::setenv("KILN_CACHE_DIR", Cache().directory().c_str(), 1);
  ::unsetenv("KILN_REQUIRE_CACHED");
  ::unsetenv("KILN_RECORD");
}

}  // namespace

int cache_warm_command(const WarmArguments& arguments) {
  settle_environment();
  if (environment("KILN_DRIVER")) Device::count();  // an emulator's code is another than a GPU's
  tell_of_emulator();
  Warming warming(arguments);
  warming.compile();
  return warming.summarise();
}

}  // namespace kiln::tool
