#include "emulator/provider/code/load.hpp"

#include "base/files.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/ptx/parse.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/fatbin_view.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kiln::emulator {

JitLog::JitLog(unsigned count, CUjit_option* options, void** values) {
  require(count == 0 || (options != nullptr && values != nullptr));
  for (unsigned i = 0; i < count; ++i) {
    void*& value = values[i];
    // Sizes and flags are stored in the pointer itself.
    const auto number = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(value));
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        errors_.text = static_cast<char*>(value);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        errors_.room = number;
        errors_.size = &value;
        break;
      case CU_JIT_INFO_LOG_BUFFER:
        info_.text = static_cast<char*>(value);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_.room = number;
        info_.size = &value;
        break;
      default:
        break;
    }
  }
  errors_.add({});
  info_.add({});
}

void JitLog::add_error(std::string_view text) { errors_.add(text); }

void JitLog::Buffer::add(std::string_view more) {
  if (text == nullptr || room == 0) return;
  const std::size_t count = std::min(more.size(), room - 1 - used);
  if (count != 0) std::memcpy(text + used, more.data(), count);
  used += count;
  text[used] = '\0';
  if (size != nullptr) *size = reinterpret_cast<void*>(static_cast<std::uintptr_t>(used));
}

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

namespace {

constexpr std::uint32_t fatbin_magic = 0xBA55ED50, wrapper_magic = 0x466243B1, elf_magic = 0x464C457F;

template <class T>
T value_at(const void* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(bytes) + offset, sizeof(T));
  return value;
}

// The header of a fatbin: magic, version (u16), size of the header (u16), size of the rest (u64).
std::string_view fatbin_at(const void* image) {
  const std::uint64_t size = value_at<std::uint16_t>(image, 6) + value_at<std::uint64_t>(image, 8);
  if (size > (std::uint64_t{1} << 32)) throw CallError(CUDA_ERROR_INVALID_IMAGE, "the fatbin claims an absurd size");
  return {static_cast<const char*>(image), static_cast<std::size_t>(size)};
}

// "compute_90" -> 90. Nothing for other names, and for targets with the features of another architecture or family.
std::optional<unsigned> usable_arch(std::string_view arch) {
  constexpr std::string_view prefix = "compute_";
  if (arch.substr(0, prefix.size()) != prefix) return std::nullopt;
  arch.remove_prefix(prefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(arch.data(), arch.data() + arch.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view suffix(end, static_cast<std::size_t>(arch.data() + arch.size() - end));
  const bool of_family = suffix == "f" && number / 10 == device_arch() / 10;
  const bool fits = suffix.empty() || of_family ? number <= device_arch() : number == device_arch();
  return fits ? std::optional(number) : std::nullopt;
}

std::string ptx_of_fatbin(std::string_view bytes) {
  const FatbinEntry* best = nullptr;
  unsigned best_arch = 0;
  const std::vector<FatbinEntry> entries = fatbin_entries(bytes);
  for (const FatbinEntry& entry : entries) {
    const auto arch = entry.kind == FatbinEntry::ptx ? usable_arch(entry.arch) : std::nullopt;
    if (!arch || *arch < best_arch) continue;
    best = &entry;
    best_arch = *arch;
  }
  if (best == nullptr)
    throw CallError(CUDA_ERROR_NO_BINARY_FOR_GPU,
                    "the fatbin has no PTX for compute capability " + std::to_string(device_arch()) +
                        " or lower: the emulator runs PTX, no machine code; compile with -gencode "
                        "arch=compute_NN,code=compute_NN");
  std::string text = unpack(best->packing, best->bytes, best->size);
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

[[noreturn]] void refuse_machine_code() {
  throw CallError(CUDA_ERROR_NO_BINARY_FOR_GPU,
                  "this is machine code of a GPU (a cubin): the emulator runs PTX; compile to that");
}

}  // namespace

std::string ptx_of_bytes(std::string_view bytes) {
  try {
    switch (code_kind(bytes)) {
      case CodeKind::cubin:
        refuse_machine_code();
      case CodeKind::fatbin:
        return ptx_of_fatbin(bytes);
      case CodeKind::ptx:
        return std::string(bytes.substr(0, bytes.find('\0')));
      case CodeKind::unknown:
        break;
    }
  } catch (const Error& error) {
    throw CallError(CUDA_ERROR_INVALID_IMAGE, error.what());
  }
  throw CallError(CUDA_ERROR_INVALID_IMAGE, "this is no PTX text, fatbin or cubin");
}

std::string ptx_of_image(const void* image) {
  if (image == nullptr) throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  // A text may be shorter than the magic numbers.
  const auto* const text = static_cast<const char*>(image);
  const bool has_magic = strnlen(text, sizeof(std::uint32_t)) == sizeof(std::uint32_t);
  const std::uint32_t magic = has_magic ? value_at<std::uint32_t>(image, 0) : 0;
  if (magic == wrapper_magic) return ptx_of_image(value_at<const void*>(image, 8));
  if (magic == fatbin_magic) return ptx_of_bytes(fatbin_at(image));
  if (magic == elf_magic) refuse_machine_code();
  return ptx_of_bytes(text);
}

}  // namespace kiln::emulator
