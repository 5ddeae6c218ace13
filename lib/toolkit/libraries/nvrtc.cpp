#include "base/argument_error.hpp"
#include "toolkit/libraries/call_text.hpp"
#include "toolkit/libraries/held.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/result_names.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <kiln/error.hpp>
#include <kiln/nvrtc.hpp>

#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace kiln::nvrtc {
namespace {

constexpr int cancelled = 16;  // NVRTC_ERROR_CANCELLED, which older headers lack

void check(const NvrtcLibrary& library, int result, const char* call, const char* log = nullptr) {
  if (result == 0) return;
  const std::string text = log != nullptr ? log : "";
  throw CompileError(call_text({call, library.title(), nvrtc_result_name(result), {}, text}), text, {});
}

// NVRTC would compile what stands before it, and not say so.
void require_no_zero(const char* what, const std::string& text) {
  const std::size_t at = text.find('\0');
  if (at != std::string::npos)
    refuse(std::string("nvrtc::Program: ") + what, "text", "a zero byte at position " + std::to_string(at));
}

// NVRTC deletes what is in the folder, whatever it is; its own folders have a file that says so.
void require_own_folder(const std::string& folder, const char* function) {
  std::error_code error;
  const bool has_files = std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error);
  if (!has_files || exists(folder + "/.nvrtc_headers_version")) return;
  refuse(std::string(function) + ": folder", "one that NVRTC installed its headers into", folder,
         ", which holds other files, and they would all be deleted");
}

}  // namespace

std::pair<int, int> version() { return NvrtcLibrary::get().version_number(); }

std::string library_path() { return NvrtcLibrary::get().path; }

std::vector<int> supported_archs() { return NvrtcLibrary::get().supported_archs(); }

std::string error_string(int result) {
  if (result < 0 || result > 31) return nvrtc_result_name(result);  // what the enumeration cannot hold
  const std::string text = NvrtcLibrary::get().get_error_string(static_cast<nvrtcResult>(result));
  return text.find("unknown") == std::string::npos ? text : nvrtc_result_name(result);
}

std::size_t pch_heap_size() {
  const NvrtcLibrary& library = NvrtcLibrary::get();
  std::size_t bytes = 0;
  check(library, library.get_pch_heap_size(&bytes), "nvrtcGetPCHHeapSize");
  return bytes;
}

void set_pch_heap_size(std::size_t bytes) {
  const NvrtcUse use;
  const NvrtcLibrary& library = NvrtcLibrary::get();
  check(library, library.set_pch_heap_size(bytes), "nvrtcSetPCHHeapSize");
}

BundledHeaders bundled_headers() {
  const NvrtcUse use;
  const NvrtcLibrary& library = NvrtcLibrary::get();
  NvrtcBundledHeaders info;
  const char* log = nullptr;
  const int result = library.get_bundled_headers_info(&info, &log);
  check(library, result, "nvrtcGetBundledHeadersInfo", log);
  return {info.available != 0,
          info.compressed_size,
          info.uncompressed_size,
          {info.cuda_version_major, info.cuda_version_minor},
          info.num_files};
}

void install_bundled_headers(const std::string& folder, bool overwrite, bool wait) {
  const NvrtcUse use;
  const NvrtcLibrary& library = NvrtcLibrary::get();
  if (overwrite) require_own_folder(folder, "nvrtc::install_bundled_headers");
  const char* log = nullptr;
  const unsigned flags = (overwrite ? 1U : 0U) | (wait ? 0U : 2U);
  const int result = library.install_bundled_headers(folder.c_str(), flags, &log);
  check(library, result, "nvrtcInstallBundledHeaders", log);
}

void remove_bundled_headers(const std::string& folder) {
  const NvrtcUse use;
  const NvrtcLibrary& library = NvrtcLibrary::get();
  require_own_folder(folder, "nvrtc::remove_bundled_headers");
  const char* log = nullptr;
  const int result = library.remove_bundled_headers(folder.c_str(), &log);
  check(library, result, "nvrtcRemoveBundledHeaders", log);
}

/// Stays where it is: NVRTC keeps its address for the flow callback.
struct Program::Impl {
  Impl(const std::string& source, const std::string& name_of_source, const std::map<std::string, std::string>& headers)
      : name(name_of_source) {
    require_no_zero("source", source);
    for (const auto& header : headers) require_no_zero("header", header.second);
    const NvrtcUse use;
    program = std::make_unique<NvrtcProgram>(NvrtcLibrary::get(), source, name, headers);
  }
  Impl(nvrtcProgram handle, const std::string& name_of_source)
      : name(name_of_source), program(std::make_unique<NvrtcProgram>(NvrtcLibrary::get(), handle)) {}
  ~Impl() {
    try {
      const NvrtcUse use;
      program.reset();
    } catch (...) {
      static_cast<void>(program.release());  // NVRTC cannot be used in this child of fork
    }
  }

  // Once it has said yes NVRTC wants to hear nothing else.
  static int ask(void* payload, void*) noexcept {
    Impl& impl = *static_cast<Impl*>(payload);
    if (impl.was_cancelled.load()) return 1;
    try {
      if (!impl.is_cancelled || !impl.is_cancelled()) return 0;
    } catch (...) {
      if (!impl.has_thrown.exchange(true)) impl.thrown = std::current_exception();
    }
    impl.was_cancelled = true;
    return 1;
  }

  std::string name;
  std::unique_ptr<NvrtcProgram> program;
  bool has_flow_callback = false;
  std::function<bool()> is_cancelled;
  std::atomic<bool> was_cancelled{false};
  std::atomic<bool> has_thrown{false};
  std::exception_ptr thrown;
};

Program::Program(const std::string& source, const std::string& name, const std::map<std::string, std::string>& headers)
    : impl_(std::make_unique<Impl>(source, name, headers)) {}
Program::Program(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::Impl& Program::impl() const { return held(impl_, "nvrtc::Program", "a program of NVRTC"); }

Program Program::adopt(nvrtcProgram handle, const std::string& name) {
  if (handle == nullptr) refuse("nvrtc::Program::adopt: handle", "a program of NVRTC", "null");
  return Program(std::make_unique<Impl>(handle, name));
}

nvrtcProgram Program::native_handle() const noexcept { return impl_ ? impl_->program->handle() : nullptr; }

nvrtcProgram Program::release() {
  if (!impl_) return nullptr;
  if (impl_->has_flow_callback)  // NVRTC takes none back, so it gets one that outlives the object
    impl_->program->set_flow_callback([](void*, void*) { return 0; }, nullptr);
  nvrtcProgram handle = impl_->program->release();
  impl_.reset();
  return handle;
}

void Program::add_name_expression(const std::string& expression) { impl().program->add_name_expression(expression); }

void Program::set_flow_callback(std::function<bool()> is_cancelled) {
  impl().program->set_flow_callback(Impl::ask, &impl());  // NVRTC takes none back
  impl().has_flow_callback = true;
  impl().is_cancelled = std::move(is_cancelled);
}

void Program::compile(const std::vector<std::string>& options) {
  for (const std::string& option : options) require_no_zero("option", option);
  const NvrtcUse use;
  const NvrtcProgram& program = *impl().program;
  impl().was_cancelled = false;
  impl().has_thrown = false;
  const int result = program.compile(options);
  if (impl().has_thrown) std::rethrow_exception(std::exchange(impl().thrown, nullptr));
  if (result == 0) return;
  const std::string log = program.log();
  const std::string text = call_text(
      {"nvrtcCompileProgram", program.library().title(), nvrtc_result_name(result), impl().name, log, options});
  if (result == cancelled) throw CompileStopped(text, false);
  throw CompileError(text, log, options);
}

std::string Program::log() const { return impl().program->log(); }
std::string Program::lowered_name(const std::string& expression) const {
  return impl().program->lowered_name(expression);
}
std::string Program::ptx() const { return impl().program->ptx(); }
std::string Program::cubin() const { return impl().program->cubin(); }
std::string Program::ltoir() const { return impl().program->ltoir(); }
std::string Program::optixir() const { return impl().program->optixir(); }
std::string Program::tileir() const { return impl().program->tileir(); }
int Program::pch_create_status() const { return impl().program->pch_create_status(); }
std::size_t Program::pch_heap_size_required() const { return impl().program->pch_heap_size_required(); }

}  // namespace kiln::nvrtc
