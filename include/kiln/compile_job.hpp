// CompileJob: a compile in the background, while the program initialises.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <string>

namespace kiln {

/// One kiln::compile on a thread of its own; the compiler works in a worker process. Begins with the constructor.
/// Movable; not copyable. May have static lifetime. Members may be called from any thread, also together; moving and
/// destroying may not. Counterpart: std::future of std::async, but for the destructor.
///
/// Before the driver is in use nobody knows which device the code will be for: give an arch, or set KILN_ARCH. A Module
/// made from code that does not fit its device compiles again. What is asked of the driver is asked in the constructor.
class KILN_EXPORT CompileJob {
 public:
  /// Where no thread can be made the constructor compiles, and the job is ready then. What is wrong with the request is
  /// thrown by get().
  explicit CompileJob(std::string source, CompileOptions options = {});
  /// Calls the compile off where it still runs and waits for its end: some milliseconds, or where no process could be
  /// started, as long as NVRTC takes to notice.
  ~CompileJob();
  CompileJob(CompileJob&&) noexcept;
  CompileJob& operator=(CompileJob&&) noexcept;

  /// Whether get() returns or throws at once.
  bool ready() const;
  /// Until it is.
  void wait() const;
  /// Waits, then returns the code or throws what kiln::compile would have thrown; again at each call. In a child of
  /// fork, where the thread does not run, throws Error unless the job was ready at the fork.
  CodeObject get() const;
  /// Calls it off: get() throws CompileStopped, unless it was ready before.
  void cancel();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kiln
