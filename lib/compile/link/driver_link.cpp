#include "base/default_float_environment.hpp"
#include "base/library_version.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_extras.hpp"
#include "toolkit/driver/driver_result.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace kiln {

namespace {

/// Device 0's, retained once a process and never released, as the memory room does it.
CUcontext primary_context(const Driver& driver) {
  static std::mutex& mutex = *new std::mutex;
  static CUcontext kept = nullptr;
  const std::lock_guard lock(mutex);
  if (kept == nullptr)
    check_driver(driver.device_primary_ctx_retain(&kept, 0), "cuDevicePrimaryCtxRetain", " on device 0");
  return kept;
}

/// cuLink... wants a current context. A thread that has none gets one for this object's life.
class BorrowedContext {
 public:
  explicit BorrowedContext(const Driver& driver) : driver_(driver) {
    CUcontext current = nullptr;
    check_driver(driver_.ctx_get_current(&current), "cuCtxGetCurrent");
    if (current != nullptr) return;
    check_driver(driver_.ctx_set_current(primary_context(driver_)), "cuCtxSetCurrent");
    is_set_ = true;
  }
  ~BorrowedContext() {
    if (is_set_) (void)driver_.ctx_set_current(nullptr);
  }
  BorrowedContext(const BorrowedContext&) = delete;
  BorrowedContext& operator=(const BorrowedContext&) = delete;

 private:
  const Driver& driver_;
  bool is_set_ = false;
};

/// The driver writes as much as there is room for, and ends it with a zero byte.
class LogBuffer {
 public:
  LogBuffer() : text_(size, '\0') {}

  char* data() { return text_.data(); }
  std::string take() {
    text_.resize(std::min(text_.find('\0'), text_.size()));
    if (text_.size() + 1 >= size) text_ += "\n(cut here, at 1 MiB)";
    while (!text_.empty() && text_.back() == '\n') text_.pop_back();
    return std::move(text_);
  }

  static constexpr std::size_t size = std::size_t{1} << 20;

 private:
  std::string text_;
};

/// Options for cuLinkCreate, and how a person reads them. Their arrays must live as long as the link.
class JitOptions {
 public:
  void add(CUjit_option option, std::uintptr_t value, const std::string& text = {}) {
    options_.push_back(option);
    values_.push_back(reinterpret_cast<void*>(value));
    if (!text.empty()) texts_.push_back(text);
  }
  void add_log(CUjit_option buffer, CUjit_option size, LogBuffer& log) {
    add(buffer, reinterpret_cast<std::uintptr_t>(log.data()));
    add(size, LogBuffer::size);
  }

  unsigned count() const { return static_cast<unsigned>(options_.size()); }
  CUjit_option* options() { return options_.data(); }
  void** values() { return values_.data(); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<CUjit_option> options_;
  std::vector<void*> values_;
  std::vector<std::string> texts_;
};

/// CUjit_target, whose later values older headers lack.
std::uintptr_t target_of(const Arch& arch) {
  constexpr std::uintptr_t accelerated = 0x10000;
  constexpr std::uintptr_t family = 0x20000;
  const auto number = static_cast<std::uintptr_t>(arch.number);
  return number + (arch.suffix == "a" ? accelerated : arch.suffix == "f" ? family : 0);
}

void add_options(JitOptions& jit, const LinkOptions& options, const std::string& arch) {
  jit.add(CU_JIT_TARGET, target_of(parse_arch(arch)), "CU_JIT_TARGET=" + arch);
  const auto add_number = [&](CUjit_option option, const char* name, const std::optional<int>& value) {
    if (value) jit.add(option, static_cast<std::uintptr_t>(*value), std::string(name) + '=' + std::to_string(*value));
  };
  const auto add_flag = [&](CUjit_option option, const char* name, bool value) {
    if (value) jit.add(option, 1, std::string(name) + "=1");
  };
  add_number(CU_JIT_MAX_REGISTERS, "CU_JIT_MAX_REGISTERS", options.max_registers);
  add_number(CU_JIT_OPTIMIZATION_LEVEL, "CU_JIT_OPTIMIZATION_LEVEL", options.optimization);
  add_flag(CU_JIT_GENERATE_DEBUG_INFO, "CU_JIT_GENERATE_DEBUG_INFO", options.debug);
  add_flag(CU_JIT_GENERATE_LINE_INFO, "CU_JIT_GENERATE_LINE_INFO", options.lineinfo);
  add_flag(CU_JIT_LOG_VERBOSE, "CU_JIT_LOG_VERBOSE", options.verbose);
}

CUjitInputType driver_type_of(const LinkInput& input) {
  const InputTypeFacts& type = facts_of(input.type);
  if (!type.driver)
    throw ToolkitError("the driver's linker takes no " + std::string(type.kind) + ": " + input.name, {});
  return static_cast<CUjitInputType>(*type.driver);
}

/// A link's state, destroyed with the object.
class LinkState {
 public:
  explicit LinkState(const DriverExtras& extras) : extras_(extras) {}
  ~LinkState() {
    if (state_ != nullptr) (void)extras_.link_destroy(state_);
  }
  LinkState(const LinkState&) = delete;
  LinkState& operator=(const LinkState&) = delete;

  int create(JitOptions& options) {
    return extras_.link_create(options.count(), options.options(), options.values(), &state_);
  }
  int add(const LinkInput& input) const {
    const CUjitInputType kind = driver_type_of(input);
    if (!input.path.empty()) return extras_.link_add_file(state_, kind, input.path.c_str(), 0, nullptr, nullptr);
    const std::string_view bytes = input.bytes();
    // Of PTX the driver wants the zero byte, too.
    const std::size_t size = bytes.size() + (input.type == InputType::ptx ? 1 : 0);
    return extras_.link_add_data(state_, kind, const_cast<char*>(bytes.data()), size, input.name.c_str(), 0, nullptr,
                                 nullptr);
  }
  /// The code is the state's own.
  int complete(std::string& code) const {
    void* made = nullptr;
    std::size_t size = 0;
    const int result = extras_.link_complete(state_, &made, &size);
    if (result == CUDA_SUCCESS && made != nullptr) code.assign(static_cast<const char*>(made), size);
    return result;
  }

 private:
  const DriverExtras& extras_;
  CUlinkState state_ = nullptr;
};

void link(const LinkOrder& order, LinkState& state, JitOptions& options, LinkOutcome& outcome) {
  const auto passed = [&](const char* call, int result) {
    if (result == CUDA_SUCCESS) return true;
    outcome.failure = std::string(call) + ": " + driver_result_name(result);
    // What an input itself is to blame for is said of the input (link_message.cpp).
    if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND || result == CUDA_ERROR_JIT_COMPILATION_DISABLED)
      outcome.failure += ": " + refused_code_advice(result);
    return false;
  };
  if (!passed("cuLinkCreate", state.create(options))) return;
  for (const auto& input : order.inputs)
    if (!passed(input->path.empty() ? "cuLinkAddData" : "cuLinkAddFile", state.add(*input))) {
      outcome.failed_input = input.get();
      return;
    }
  if (passed("cuLinkComplete", state.complete(outcome.code)) && outcome.code.empty())
    outcome.failure = "it made no code";
}

}  // namespace

LinkOutcome link_by_driver(const LinkOrder& order) {
  const Driver& driver = Driver::get();
  const DriverExtras& extras = DriverExtras::get();
  const BorrowedContext context(driver);
  const DefaultFloatEnvironment environment;  // the driver compiles PTX on this thread
  LinkOutcome outcome;
  outcome.version = driver_version(driver);
  outcome.linker = "the driver of CUDA " + version_text(outcome.version);
  LogBuffer info;
  LogBuffer errors;
  JitOptions options;
  add_options(options, *order.options, order.arch);
  options.add_log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, info);
  options.add_log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, errors);
  outcome.options = options.texts();
  {
    LinkState state(extras);  // writes into the logs until it is destroyed
    link(order, state, options, outcome);
  }
  outcome.info_log = info.take();
  outcome.error_log = errors.take();
  check_linked_code(outcome);
  return outcome;
}

}  // namespace kiln
