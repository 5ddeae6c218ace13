#include "emulator/provider/code/load.hpp"

#include "base/files.hpp"
#include "emulator/provider/code/code_image.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/ptx/parse.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln::emulator {
namespace {

std::shared_ptr<LibraryState> made(std::string text) {
  auto library = std::make_shared<LibraryState>(std::move(text));
  for (const std::string& each : library->unread()) log("passes over a statement of a newer PTX: " + each);
  if (Context* const context = current_context_or_null()) (void)library->image(*context);
  return library;
}

[[noreturn]] void throw_with_log(JitLog& log, CUresult result, const std::string& text) {
  log.add_error(text);
  throw CallError(result, log.takes_errors() ? std::string() : text);
}

}  // namespace

std::shared_ptr<LibraryState> load_library(const void* image, JitLog& log) {
  return with_log(log, [&] { return made(ptx_of_image(image)); });
}

std::shared_ptr<LibraryState> load_library(const std::string& bytes, JitLog& log) {
  return with_log(log, [&] { return made(ptx_of_bytes(bytes)); });
}

void throw_logged(JitLog& log) {
  try {
    throw;
  } catch (const ptx::ParseError& error) {
    throw_with_log(log, CUDA_ERROR_INVALID_PTX, error.what());
  } catch (const CallError& error) {
    throw_with_log(log, error.result, error.text);
  }
}

std::string read_code_file(const char* path) {
  try {
    return read_named_file(path);
  } catch (const Error& error) {
    throw CallError(CUDA_ERROR_FILE_NOT_FOUND, error.what());
  }
}

}  // namespace kiln::emulator
