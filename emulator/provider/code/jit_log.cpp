#include "emulator/provider/code/jit_log.hpp"

#include "emulator/provider/context/call.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

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

}  // namespace kiln::emulator
