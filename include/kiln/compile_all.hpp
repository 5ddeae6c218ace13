// compile_all: many sources at once, in as many processes.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// What kiln::compile takes. An aggregate: {source} or {source, options}.
struct CompileRequest {
  std::string source;           ///< as kiln::compile takes it
  CompileOptions options = {};  ///< as kiln::compile takes them
};

/// What became of one request: code, or what kiln::compile would have thrown. A value; copies share the code and the
/// exception. Counterpart: a std::future that is ready.
class CompileResult {
 public:
  /// Of a request that ended well, or with what it threw.
  CompileResult(CodeObject code) : code_(std::move(code)) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor,bugprone-throw-keyword-missing)
  CompileResult(std::exception_ptr error) : error_(std::move(error)) {}

  bool ok() const noexcept { return code_.has_value(); }  ///< whether there is code
  /// The code; throws what the compile threw.
  const CodeObject& get() const {
    if (!code_) std::rethrow_exception(error_);
    return *code_;
  }
  /// Null where there is code.
  std::exception_ptr error() const noexcept { return error_; }

 private:
  std::optional<CodeObject> code_;
  std::exception_ptr error_;
};

/// One request that has just been finished.
struct CompileProgress {
  /// How a request ended.
  enum class Outcome { from_cache, compiled, failed, stopped };

  std::size_t done = 0;                 ///< requests finished until now, this one counted in
  std::size_t total = 0;                ///< all of them
  std::size_t index = 0;                ///< this one's place among the requests
  Outcome outcome = Outcome::compiled;  ///< how this one ended
};

/// Called for each request once, in the order in which they end. Returning false stops the requests that have not
/// ended, and there are no calls after that; an exception stops them too, and leaves compile_all when every compile has
/// ended.
using CompileProgressHandler = std::function<bool(const CompileProgress&)>;

/// Compiles as kiln::compile does, each request through the cache, and returns a result for each, in order; no failure
/// of one keeps the others from being compiled. What the cache holds is served first. The rest is compiled in `jobs`
/// worker processes, because NVRTC compiles one source at a time in a process; where no process can be started, by
/// NVRTC in this one. Equal requests compile once. A request's timeout counts from when its compile begins, and its
/// cancel token works; what was called off, by that or by `progress`, has a CompileStopped. `progress` is called on the
/// calling thread. `jobs` 0 is the number of cores that this thread may use, by its affinity and by a container's quota
/// of CPU time, and at most 16, as each worker needs some hundred megabytes. Where no thread can be made the calling
/// one compiles. Without an explicit arch the code is for the calling thread's current device where this process uses
/// the driver already. Throws what `progress` throws; nothing else. Thread-safe; a compile in it may not be waited for
/// from `progress`. PyCUDA has no counterpart.
KILN_EXPORT std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests,
                                                   const CompileProgressHandler& progress = {}, unsigned jobs = 0);

}  // namespace kiln
