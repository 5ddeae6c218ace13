// KILN_RECORD: the requests of a real run, listed in a file for `kiln cache warm`. docs/cache.md has the form.
#pragma once

#include "compile/identity/compile_context.hpp"
#include "compile/nvjitlink/link_input.hpp"

#include <kiln/error.hpp>
#include <kiln/linker.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// Whether KILN_RECORD is set.
bool are_recorded();

/// Appends the line to the file that KILN_RECORD names, once a process. One that cannot be written is a warning, once.
/// Thread-safe.
void record(const std::string& line) noexcept;

/// The line of a compile, and of a link. `device_arch` is what an unset arch was decided by.
std::string source_record(std::string_view source, const CompileOptions& options, const CompileContext& context);
/// What of it is the request itself, without the place: the same wherever a program runs.
std::string source_request(std::string_view source, const CompileOptions& options);
std::string link_record(const LinkOptions& options, const LinkInputs& inputs, const std::string& device_arch);

/// Does the work, and has `note` record it: also where it may not be done here, or was stopped, and not where a
/// compiler or linker refused it, as it would refuse it elsewhere.
template <class Work, class Note>
auto with_record(const Work& work, const Note& note) {
  if (!are_recorded()) return work();
  try {
    auto result = work();
    note();
    return result;
  } catch (const CompileError&) {
    throw;
  } catch (const LinkError&) {
    throw;
  } catch (const ArgumentError&) {
    throw;
  } catch (...) {
    note();
    throw;
  }
}

inline constexpr int record_version = 1;

/// Variables that decide about a request; their values are recorded with it.
inline constexpr const char* recorded_variables[] = {"KILN_DEFAULT_OPTIONS",
                                                     "PYCUDA_DEFAULT_NVCC_FLAGS",
                                                     "KILN_BACKEND",
                                                     "NVCC_PREPEND_FLAGS",
                                                     "NVCC_APPEND_FLAGS",
                                                     "NVCC_CCBIN",
                                                     "CPATH",
                                                     "C_INCLUDE_PATH",
                                                     "CPLUS_INCLUDE_PATH"};

}  // namespace kiln
