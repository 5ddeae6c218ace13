// Code that was embedded in a program, and which of it a device gets.
#pragma once

#include "compile/code/code_data.hpp"

#include <kiln/embedded.hpp>

#include <memory>
#include <string>

namespace kiln {

struct EmbeddedSource::Impl {
  Impl(const detail::EmbeddedFile& embedded, std::shared_ptr<const Recipe> request)
      : file(embedded), name(embedded.name), recipe(std::move(request)) {}

  const detail::EmbeddedFile& file;
  const std::string name;
  const std::shared_ptr<const Recipe> recipe;
};

/// The code for devices of that architecture: what is embedded, unless a driver refused it, else compiled. Without a
/// device (an empty `device_arch`) the newest that is embedded. Code that is in use is shared. Throws as kiln::compile;
/// a ToolkitError says that nothing embedded would do. Thread-safe.
CodeObject code_of_embedded(const EmbeddedSource& source, const std::string& device_arch);

}  // namespace kiln
