#include "compile/jobs/job_library.hpp"

#include "compile/identity/chosen_compiler.hpp"
#include "compile/worker/worker_answer.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/libraries/nvvm_library.hpp"
#include "toolkit/locate/component_finder.hpp"
#include "toolkit/locate/library_identity.hpp"
#include "toolkit/locate/toolkit.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <kiln/error.hpp>

#include <array>
#include <utility>

namespace kiln {

namespace {

std::string without_links(const std::string& path) { return resolved(path).value_or(path); }

JobLibrary component(JobLibrary::Kind kind, const std::string& path) {
  return {kind, without_links(path), {}, library_identity(FileSystem::real(), path)};
}

std::string identity_now(const JobLibrary& library) {
  return library.kind == JobLibrary::Kind::nvrtc ? nvrtc_identity(library.path, library.builtins)
                                                 : library_identity(FileSystem::real(), library.path);
}

void open(const JobLibrary& library) {
  switch (library.kind) {
    case JobLibrary::Kind::nvrtc:
      NvrtcLibrary::get(library.path);
      break;
    case JobLibrary::Kind::nvvm:
      NvvmLibrary::get(library.path);
      break;
    case JobLibrary::Kind::nvjitlink:
      NvJitLinkLibrary::get(library.path);
      break;
    case JobLibrary::Kind::none:
      break;
  }
}

}  // namespace

JobLibrary nvrtc_for_job(std::string identity) {
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) throw_no_nvrtc(toolkit);
  if (identity.ends_with(bundled_headers_mark)) identity.resize(identity.size() - bundled_headers_mark.size());
  return {JobLibrary::Kind::nvrtc, without_links(*toolkit.nvrtc), toolkit.nvrtc_builtins.value_or(std::string()),
          std::move(identity)};
}

JobLibrary nvvm_for_job() { return component(JobLibrary::Kind::nvvm, require_nvvm()); }
JobLibrary nvjitlink_for_job() { return component(JobLibrary::Kind::nvjitlink, require_nvjitlink()); }

void open_for_job(const JobLibrary& library) {
  if (library.kind == JobLibrary::Kind::none) return;
  static std::array<std::string, 4> opened;  // the identities, by kind: a worker has one thread
  std::string& known = opened.at(static_cast<std::size_t>(library.kind));
  if (!known.empty() && known != library.path + '\n' + library.identity) throw WorkerUnfit{};
  if (identity_now(library) != library.identity)
    throw ToolkitError(
        "the compiler library " + library.path + " was replaced while the program ran: start the program again",
        {library.path});
  open(library);
  known = library.path + '\n' + library.identity;
}

}  // namespace kiln
