#include "toolkit/libraries/bound_library.hpp"

#include "toolkit/locate/toolkit_places.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

std::string without_links(const std::string& file) { return resolved(file).value_or(file); }

SharedLibrary open(const std::string& path) try { return SharedLibrary::open(path); } catch (const Error& error) {
  throw ToolkitError(std::string("cannot open the compiler library ") + error.what(), {path});
}

}  // namespace

void throw_function_of_newer_library(const std::string& library, const char* name, const char* since) {
  throw ToolkitError(library + " has no " + name + ", which came with CUDA " + since + ": use a toolkit of CUDA " +
                         since + " or newer (CUDA_HOME chooses)",
                     {});
}

LibraryBinder::LibraryBinder(const std::string& file, std::string needed, std::string advice)
    : path_(without_links(file)), needed_(std::move(needed)), advice_(std::move(advice)), library_(open(path_)) {}

void* LibraryBinder::find(const char* name, const std::string& other_spelling) const noexcept {
  void* address = library_.symbol(name);
  if (address == nullptr && !other_spelling.empty()) address = library_.symbol(other_spelling.c_str());
  return address;
}

FunctionAddress LibraryBinder::require(const char* name, const std::string& other_spelling) const {
  if (void* address = find(name, other_spelling)) return {address};
  throw ToolkitError(
      "the compiler library " + path_ + " lacks the function " + name + ": Kiln needs " + needed_ + ". " + advice_,
      {path_});
}

}  // namespace kiln
