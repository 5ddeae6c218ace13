// Linker: the public face of a LinkJob.
#include <kiln/linker.hpp>

#include "base/argument_error.hpp"
#include "compile/link/link.hpp"
#include "compile/options/link_options.hpp"

namespace kiln {

struct Linker::Impl {
  LinkJob job;
};

namespace {

template <class Impl>
auto& job_of(const std::unique_ptr<Impl>& impl) {
  if (impl == nullptr) refuse("Linker", "a linker", "one that was moved from");
  return impl->job;
}

}  // namespace

Linker::Linker(LinkOptions options) {
  require_sensible(options);
  impl_ = std::make_unique<Impl>(Impl{LinkJob{std::move(options), {}}});
}
Linker::Linker(Linker&&) noexcept = default;
Linker& Linker::operator=(Linker&&) noexcept = default;
Linker::~Linker() = default;

Linker& Linker::add(const CodeObject& code, std::string name) {
  job_of(impl_).add(code, std::move(name));
  return *this;
}

Linker& Linker::add_data(std::string_view bytes, InputType type, std::string name) {
  job_of(impl_).add_data(bytes, type, std::move(name));
  return *this;
}

Linker& Linker::add_file(const std::filesystem::path& path, InputType type) {
  job_of(impl_).add_file(path, type);
  return *this;
}

Linker& Linker::add_stdlib(const std::string& name) {
  job_of(impl_).add_stdlib(name);
  return *this;
}

CodeObject Linker::link() const { return link_for(job_of(impl_)); }

}  // namespace kiln
