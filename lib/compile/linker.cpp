// Linker: the public face of a LinkJob.
#include <kiln/linker.hpp>

#include "compile/link.hpp"
#include "compile/link_options.hpp"

namespace kiln {

struct Linker::Impl {
  LinkJob job;
};

Linker::Linker(LinkOptions options) {
  require_sensible(options);
  impl_ = std::make_unique<Impl>(Impl{LinkJob{std::move(options), {}}});
}
Linker::Linker(Linker&&) noexcept = default;
Linker& Linker::operator=(Linker&&) noexcept = default;
Linker::~Linker() = default;

Linker& Linker::add(const CodeObject& code, std::string name) {
  impl_->job.add(code, std::move(name));
  return *this;
}

Linker& Linker::add_data(std::string_view bytes, InputType type, std::string name) {
  impl_->job.add_data(bytes, type, std::move(name));
  return *this;
}

Linker& Linker::add_file(const std::filesystem::path& path, InputType type) {
  impl_->job.add_file(path, type);
  return *this;
}

Linker& Linker::add_stdlib(const std::string& name) {
  impl_->job.add_stdlib(name);
  return *this;
}

CodeObject Linker::link() const { return link_for(impl_->job); }

}  // namespace kiln
