#include "compile/stopped.hpp"

#include <kiln/error.hpp>

namespace kiln {

void throw_stopped(const std::string& name, const Stop& stop) {
  const bool cancelled = stop.cancel.is_cancelled();
  throw CompileStopped("compiling \"" + name + "\" was ended " +
                           (cancelled ? "because it was cancelled (CompileOptions::cancel)"
                                      : "by its time limit (CompileOptions::timeout)") +
                           ". Nothing was stored; the same request may be made again",
                       !cancelled);
}

}  // namespace kiln
