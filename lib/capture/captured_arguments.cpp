#include "capture/captured_arguments.hpp"

#include "base/source_token.hpp"
#include "capture/not_captured.hpp"
#include "launch/argument_check.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/pointer_info.hpp"
#include "toolkit/driver/driver.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace kiln {

namespace {

std::uint64_t word_at(const std::string& bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// Also for the address after an allocation's last byte, as an end has it, where that begins no other one.
std::optional<MemoryRange> allocation_at(CUdeviceptr address) {
  if (address == 0) return std::nullopt;
  if (const auto range = allocation_of(address)) return range;
  const auto before = allocation_of(address - 1);
  return before && before->begin + before->bytes == address ? before : std::nullopt;
}

/// Whether the source has types of objects that a launch passes as integers.
bool has_texture_objects(std::string_view source) {
  constexpr std::string_view names[] = {"cudaTextureObject_t", "cudaSurfaceObject_t", "CUtexObject", "CUsurfObject"};
  for (std::size_t at = 0; at < source.size();) {
    const SourceToken token = source_token(source, at);
    if (token.kind == SourceTokenKind::word &&
        std::find(std::begin(names), std::end(names), source.substr(at, token.size)) != std::end(names))
      return true;
    at += token.size;
  }
  return false;
}

bool may_be_object(const Parameter& parameter) {
  if (parameter.size != sizeof(CUtexObject)) return false;
  return parameter.type.empty() ? parameter.kind != ParameterKind::floating && parameter.kind != ParameterKind::pointer
                                : parameter.type == "unsigned long long";
}

/// "float4" leads to float.
const ElementType* scalar_behind(const std::string& type) {
  if (const ElementType* const element = element_behind(type)) return element;
  std::string_view name = type;
  for (const std::string_view end : {std::string_view("*"), std::string_view(" const")})
    if (name.ends_with(end)) name.remove_suffix(end.size());
  if (name.empty() || name.back() < '1' || name.back() > '4') return nullptr;
  return element_type(name.substr(0, name.size() - 1));
}

/// As far as the call shows it; it does not show whether integers have a sign.
const ElementType* element_of_call(const detail::Pointee& pointee) {
  using Kind = detail::Pointee::Kind;
  if (pointee.levels != 1) return nullptr;
  if (pointee.kind == Kind::floating) return element_type(pointee.size == sizeof(float) ? "float" : "double");
  if (pointee.kind != Kind::integer) return nullptr;
  return element_type(pointee.size == 8 ? "long" : pointee.size == 4 ? "int" : pointee.size == 2 ? "short" : "char");
}

bool leads_to_pointers(const std::string& type) {
  return type.ends_with("**") || type.ends_with("* const*") || type.ends_with("*const*");
}

class ArgumentReader {
 public:
  ArgumentReader(const HookedLaunch& launch, std::string_view source)
      : launch_(launch), has_objects_(has_texture_objects(source)) {}

  CapturedArguments read() {
    const std::vector<Parameter>* const parameters = launch_.kernel.known_parameters();
    if (parameters == nullptr) throw NotCaptured("neither its code nor the driver says what its parameters are");
    for (const Parameter& parameter : *parameters) add(parameter);
    for (CapturedMemory& memory : result_.memories)
      if (memory.element != nullptr && memory.bytes % memory.element->size != 0) memory.element = nullptr;
    return std::move(result_);
  }

 private:
  void add(const Parameter& parameter) {
    index_ = result_.arguments.size();
    CapturedArgument argument{parameter, {static_cast<const char*>(launch_.arguments[index_]), parameter.size}};
    const bool is_word = parameter.size == sizeof(CUdeviceptr) && parameter.kind != ParameterKind::floating;
    const bool is_class = parameter.kind == ParameterKind::other && !(is_word && parameter.type.empty());
    if (is_class)
      refuse_pointers(argument);
    else if (is_word)
      add_word(argument);
    result_.arguments.push_back(std::move(argument));
  }

  [[noreturn]] void refuse(const Parameter& parameter, const std::string& why) const {
    throw NotCaptured("argument " + std::to_string(index_) + " (counted from 0), " + describe(parameter) + ", " + why);
  }

  /// A pointer, or an integer that may be one.
  void add_word(CapturedArgument& argument) {
    const Parameter& parameter = argument.parameter;
    const CUdeviceptr address = word_at(argument.bytes, 0);
    const auto range = allocation_at(address);
    if (range) {
      if (leads_to_pointers(parameter.type)) refuse(parameter, "leads to pointers, which a capture cannot follow");
      argument.memory = memory_of(*range, argument);
      argument.offset = address - range->begin;
    } else if (address != 0 && (parameter.kind == ParameterKind::pointer || pointer_device(address))) {
      refuse(parameter, "points to memory that is no allocation of the driver's");
    } else if (has_objects_ && address != 0 && may_be_object(parameter)) {
      refuse(parameter, "may be a texture or surface object, whose memory a capture cannot find");
    }
  }

  /// A struct may hold addresses after an allocation's end, or within arrays of its own: no copy could be relied on.
  void refuse_pointers(const CapturedArgument& argument) const {
    for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= argument.bytes.size(); at += sizeof(CUdeviceptr))
      if (allocation_at(word_at(argument.bytes, at)))
        refuse(argument.parameter, "is passed by value and holds a pointer to device memory in byte " +
                                       std::to_string(at) + ": pass the pointer as an argument of its own");
  }

  std::size_t memory_of(const MemoryRange& range, const CapturedArgument& argument) {
    auto& memories = result_.memories;
    auto found = std::find_if(memories.begin(), memories.end(),
                              [&](const CapturedMemory& memory) { return memory.begin == range.begin; });
    if (found == memories.end()) found = memories.insert(memories.end(), {range.begin, range.bytes});
    const std::string& type = argument.parameter.type;
    found->is_read_only = found->is_read_only && type.ends_with("const*");
    if (found->element == nullptr) found->element = element_of(type);
    return static_cast<std::size_t>(found - memories.begin());
  }

  const ElementType* element_of(const std::string& type) const {
    if (!type.empty()) return scalar_behind(type);
    if (launch_.signature == nullptr || index_ >= launch_.signature->count) return nullptr;
    return element_of_call(launch_.signature->arguments[index_].pointee);
  }

  const HookedLaunch& launch_;
  const bool has_objects_;
  std::size_t index_ = 0;
  CapturedArguments result_;
};

}  // namespace

std::size_t CapturedArguments::total_bytes() const noexcept {
  std::size_t total = 0;
  for (const CapturedMemory& memory : memories) total += memory.bytes;
  return total;
}

CapturedArguments capture_arguments(const HookedLaunch& launch, std::string_view source) {
  return ArgumentReader(launch, source).read();
}

StagedMemory::StagedMemory(CUstream stream) : stream_(stream) {
  check_driver(DriverExtras::get().mem_host_alloc(&buffer_, piece, 0), "cuMemHostAlloc", " for a capture");
}

StagedMemory::~StagedMemory() {
  if (const DriverExtras* const driver = DriverExtras::if_open()) (void)driver->mem_free_host(buffer_);
}

void StagedMemory::read(CUdeviceptr begin, std::size_t bytes, const std::function<bool(std::string_view)>& take) {
  const DriverExtras& driver = DriverExtras::get();
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t size = std::min(piece, bytes - at);
    check_work(driver.memcpy_dtoh_async(buffer_, begin + at, size, stream_), "cuMemcpyDtoHAsync", " for a capture");
    check_work(Driver::get().stream_synchronize(stream_), "cuStreamSynchronize", " for a capture");
    if (!take({static_cast<const char*>(buffer_), size})) return;
    at += size;
  }
}

}  // namespace kiln
