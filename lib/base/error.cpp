#include <kiln/error.hpp>

#include "base/printable_text.hpp"

#include <utility>

namespace kiln {

Error::Error(const std::string& message) : std::runtime_error(printable_text(message)) {}
Error::~Error() = default;

CompileError::CompileError(const std::string& message, std::string log, std::vector<std::string> options)
    : Error(message), log_(std::move(log)), options_(std::move(options)) {}
CompileError::~CompileError() = default;

CompileStopped::CompileStopped(const std::string& message, bool timed_out) : Error(message), timed_out_(timed_out) {}
CompileStopped::~CompileStopped() = default;

NotCached::NotCached(const std::string& message, std::string name, std::string arch, std::vector<std::string> reasons)
    : Error(message), name_(std::move(name)), arch_(std::move(arch)), reasons_(std::move(reasons)) {}
NotCached::~NotCached() = default;

LinkError::LinkError(const std::string& message, std::string error_log, std::string info_log,
                     std::vector<std::string> options)
    : Error(message), error_log_(std::move(error_log)), info_log_(std::move(info_log)), options_(std::move(options)) {}
LinkError::~LinkError() = default;

ArgumentError::ArgumentError(const std::string& message, std::string kernel, std::size_t index, std::string expected,
                             std::string given)
    : Error(message),
      kernel_(std::move(kernel)),
      index_(index),
      expected_(std::move(expected)),
      given_(std::move(given)) {}
ArgumentError::~ArgumentError() = default;

DriverError::DriverError(const std::string& message, int result, std::string result_name, std::string call)
    : Error(message), result_(result), result_name_(std::move(result_name)), call_(std::move(call)) {}
DriverError::~DriverError() = default;

NoKernelImageError::NoKernelImageError(const std::string& message, std::string code_arch, std::string device_arch)
    : Error(message), code_arch_(std::move(code_arch)), device_arch_(std::move(device_arch)) {}
NoKernelImageError::~NoKernelImageError() = default;

ToolkitError::ToolkitError(const std::string& message, std::vector<std::string> searched)
    : Error(message), searched_(std::move(searched)) {}
ToolkitError::~ToolkitError() = default;

WorkerError::~WorkerError() = default;

}  // namespace kiln
