// The capture.json of a launch's capture, beside the files that it names.
#include "../../tools/kiln/capture_reader.hpp"
#include "fuzz.hpp"
#include "json_members.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace fuzz_capture {

using namespace kiln;
using namespace kiln::fuzz;
using tool::Capture;

namespace {

std::string array_file(const char* type, std::size_t count) {
  tool::Array array;
  array.type = element_type(type);
  array.shape = {count};
  array.bytes.assign(count * array.type->size, '\1');
  return tool::write_npy(array);
}

/// A capture's folder; the inputs are its capture.json.
struct Place {
  test::ScratchFolder folder;
  std::string capture = (folder / "capture").string();

  Place() {
    folder.write("capture/memory-0.npy", array_file("float", 16));
    folder.write("capture/memory-0-after.npy", array_file("float", 16));
    folder.write("capture/memory-1.npy", array_file("unsigned char", 8));
    folder.write("capture/variable-0.npy", array_file("unsigned char", 4));
    folder.write("capture/source.cu",
                 "__global__ void scale(float* values, float by) { values[threadIdx.x] *= by; }\n");
    folder.write("capture/code.ptx", ".version 9.0\n.target sm_75\n.address_size 64\n");
    folder.write("outside.npy", array_file("float", 16));
  }
};

const Place& place() {
  static const Place one;
  return one;
}

std::optional<Capture> capture_of(std::string_view json) {
  // ext4 writes a file that is cut to nothing to the disk at once, a new one later.
  std::filesystem::remove(place().capture + "/capture.json");
  test::write_file(place().capture + "/capture.json", json);
  try {
    return tool::read_capture(place().capture);
  } catch (const Error& error) {
    check_said(error.what());
    require(std::string_view(error.what()).find(place().capture) != std::string_view::npos, "a fault names its file");
    return std::nullopt;
  }
}

void check_array(const tool::Array& array) {
  require(array.type != nullptr && array.shape.size() == 1 && array.bytes.size() == array.shape[0] * array.type->size,
          "an array has as many bytes as its elements");
}

void check_memory(const tool::CapturedArray& memory) {
  require(std::filesystem::path(memory.file).parent_path() == place().capture, "a file lies in the capture's folder");
  check_array(memory.before);
  check_array(memory.result());
  require(memory.before.bytes.size() == memory.result().bytes.size(), "a launch changes no memory's size");
}

void check_argument(const Capture& capture, const tool::RunArgument& argument) {
  const auto* const pointer = std::get_if<tool::MemoryArgument>(&argument.value);
  require(pointer != nullptr || std::holds_alternative<tool::BytesArgument>(argument.value),
          "an argument is a pointer or bytes");
  if (pointer == nullptr) return;
  require(pointer->memory < capture.memories.size(), "a pointer is one into a memory of the capture");
  require(pointer->offset <= capture.memories[pointer->memory].before.bytes.size(), "and not behind its end");
}

void check_tuning(const tool::CapturedDefinition& tuning) {
  require(!tuning.problem.empty() && tuning.problem.size() <= 3, "a problem has one to three sizes");
  require(tuning.block.size() <= 3 && tuning.grid.size() <= 3, "a block and a grid have at most three");
}

/// What a capture must have.
constexpr std::string_view least =
    R"({"kiln_capture":1,"kernel":"f","symbol":"f","grid":[1,1,1],"block":[1,1,1],"shared_bytes":0,"attributes":{},)"
    R"("arguments":[],"memories":[],"variables":[],"code":{"file":"code.ptx"}})";

void check_capture(std::string_view json) {
  const auto capture = capture_of(json);
  if (!capture) return;
  for (const tool::CapturedArray& memory : capture->memories) check_memory(memory);
  for (const tool::CapturedVariable& variable : capture->variables) check_array(variable.content);
  for (std::size_t i = 0; i < capture->arguments.size(); ++i) {
    require(capture->arguments[i].index == i, "arguments are in their order");
    check_argument(*capture, capture->arguments[i]);
  }
  require(capture->arrays().size() == capture->memories.size(), "each memory is an array");
  require(!capture->request || capture->request->kind != tool::RecordedRequest::Kind::link, "code is of a compile");
  require(!capture->request || capture->request->source.options.arch.empty(), "the device decides the architecture");
  (void)capture->name();
  if (capture->tuning) check_tuning(*capture->tuning);
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  check_capture(view_of(data, size));
  check_capture(with_members(least, view_of(data, size)));
  return 0;
}

}  // namespace fuzz_capture
