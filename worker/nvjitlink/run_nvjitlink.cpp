#include "worker/nvjitlink/run_nvjitlink.hpp"

#include "base/library_version.hpp"
#include "base/range.hpp"
#include "compile/compiler/large_stack.hpp"
#include "compile/nvjitlink/link_symbols.hpp"
#include "compile/options/link_options.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/libraries/call_text.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/result_names.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

constexpr int unrecognized_option = 1;

/// A link's handle, destroyed with the object.
class NvJitLink {
 public:
  explicit NvJitLink(const NvJitLinkLibrary& library) : library_(library) {}
  ~NvJitLink() { destroy(); }
  NvJitLink(const NvJitLink&) = delete;
  NvJitLink& operator=(const NvJitLink&) = delete;

  int create(const std::vector<std::string>& options) {
    destroy();
    std::vector<const char*> texts = option_pointers(options);
    return library_.create(&handle_, static_cast<std::uint32_t>(texts.size()), texts.data());
  }
  int add(const LinkInput& input) const {
    const int kind = facts_of(input.type).nvjitlink;
    if (!input.path.empty()) return library_.add_file(handle_, kind, input.path.c_str());
    const std::string_view bytes = input.bytes();
    return library_.add_data(handle_, kind, bytes.data(), bytes.size(), input.name.c_str());
  }
  int complete() const { return library_.complete(handle_); }

  std::string error_log() const { return text(library_.get_error_log_size, library_.get_error_log); }
  std::string info_log() const { return text(library_.get_info_log_size, library_.get_info_log); }
  /// 0 and the code, or a result.
  int get(Target target, std::string& code) const {
    if (target == Target::ptx) return get(library_.get_linked_ptx_size, library_.get_linked_ptx, code);
    if (target == Target::ltoir) return get(library_.get_linked_ltoir_size, library_.get_linked_ltoir, code);
    if (target == Target::cubin) return get(library_.get_linked_cubin_size, library_.get_linked_cubin, code);
    throw ToolkitError("nvJitLink makes no " + target_name(target), {});
  }

 private:
  void destroy() {
    if (handle_ != nullptr) library_.destroy(&handle_);
    handle_ = nullptr;
  }
  template <class GetSize, class Get>
  int get(const GetSize& get_size, const Get& get, std::string& bytes) const {
    std::size_t size = 0;
    if (const int result = get_size(handle_, &size); result != 0) return result;
    bytes.resize(size);
    return size == 0 ? 0 : get(handle_, bytes.data());
  }
  template <class GetSize, class Get>
  std::string text(const GetSize& get_size, const Get& get_text) const {
    std::string log;
    return handle_ == nullptr || get(get_size, get_text, log) != 0 ? std::string() : as_log(std::move(log));
  }

  const NvJitLinkLibrary& library_;
  NvJitLinkHandle handle_ = nullptr;
};

/// One link on its way.
class Linking {
 public:
  Linking(const LinkOrder& order, const NvJitLinkLibrary& library) : order_(order), link_(library) {
    outcome_.version = library.version_number();
    outcome_.linker = "nvJitLink " + version_text(outcome_.version);
    outcome_.options = nvjitlink_options(*order.options, order.arch, order.lto);
  }

  LinkOutcome run() {
    if (create() && add_all() && passed("nvJitLinkComplete", link_.complete()) &&
        passed("nvJitLinkGetLinked...", link_.get(order_.options->target, outcome_.code)) && outcome_.code.empty())
      outcome_.failure = "it made no code";
    outcome_.info_log = link_.info_log();
    outcome_.error_log = link_.error_log();
    check_linked_code(outcome_);
    return std::move(outcome_);
  }

 private:
  bool passed(const char* call, int result) {
    if (result != 0) outcome_.failure = std::string(call) + ": " + nvjitlink_result_name(result);
    return result == 0;
  }

  bool create() {
    // The linker's own cache opens the driver, and this one keeps what is linked. Older ones do not know the option.
    outcome_.options.emplace_back("-no-cache");
    int result = link_.create(outcome_.options);
    if (result == unrecognized_option && link_.error_log().find("-no-cache") != std::string::npos) {
      outcome_.options.pop_back();
      result = link_.create(outcome_.options);
    }
    return passed("nvJitLinkCreate", result);
  }

  // nvJitLink would link what is left after an input that it refused, and call it success.
  bool add_all() {
    for (const auto& input : order_.inputs)
      if (!add(*input)) {
        outcome_.failed_input = input.get();
        return false;
      }
    return true;
  }

  bool add(const LinkInput& input) {
    if (is_for_another_arch(input)) {
      outcome_.failure = input.type == InputType::cubin
                             ? "not given to nvJitLink, whose other links would never end after that"
                             : "not given to nvJitLink, which may link it all the same";
      return false;
    }
    return passed(input.path.empty() ? "nvJitLinkAddData" : "nvJitLinkAddFile", link_.add(input));
  }

  // After a cubin that it refuses for its architecture, nvJitLink (13.0) keeps a lock that no other thread then gets.
  // nvJitLink links LTO-IR with features of sm_90a for any newer architecture.
  bool is_for_another_arch(const LinkInput& input) const {
    const InputFacts facts = facts_of(input);
    if (facts.archs.empty() || (input.type != InputType::cubin && !facts.has_ltoir)) return false;
    return std::none_of(facts.archs.begin(), facts.archs.end(),
                        [&](const std::string& arch) { return can_serve(arch, order_.arch); });
  }

  const LinkOrder& order_;
  NvJitLink link_;
  LinkOutcome outcome_;
};

}  // namespace

LinkOutcome run_nvjitlink(const LinkOrder& order) {
  const NvJitLinkLibrary& library = NvJitLinkLibrary::get();
  const NvrtcUse use;
  const Range range("stage", "nvJitLink");
  LinkOutcome outcome;
  run_on_large_stack([&] { outcome = Linking(order, library).run(); });
  return outcome;
}

}  // namespace kiln
