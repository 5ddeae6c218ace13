#include "emulator/provider/load.hpp"

#include "emulator/provider/call.hpp"
#include "emulator/provider/code_image.hpp"
#include "emulator/ptx/parse.hpp"

#include <fstream>
#include <iterator>
#include <utility>

namespace kiln::emulator {
namespace {

std::shared_ptr<LibraryState> made(std::string text) {
  auto library = std::make_shared<LibraryState>(std::move(text));
  if (Context* const context = current_context_or_null()) (void)library->image(*context);
  return library;
}

[[noreturn]] void throw_told(JitLog& log, CUresult result, const std::string& text) {
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
    throw_told(log, CUDA_ERROR_INVALID_PTX, error.what());
  } catch (const LoadError& error) {
    throw_told(log, static_cast<CUresult>(error.result), error.text);
  } catch (const CallError& error) {
    throw_told(log, error.result, error.text);
  }
}

std::string read_code_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CallError(CUDA_ERROR_FILE_NOT_FOUND, std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace kiln::emulator
