// What a linker's input is, by its bytes.
#pragma once

#include "compile/code/code_data.hpp"

#include <kiln/linker.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// {major, minor}: of a toolkit, or of PTX.
using Version = std::pair<int, int>;

/// What a type of inputs is.
struct InputTypeFacts {
  enum class Holds : std::uint8_t { no, perhaps, yes };
  InputType type;
  std::string_view name;      // in records
  std::string_view kind;      // in texts
  Holds ltoir;                // perhaps: only its bytes show
  bool may_hold_ptx;          // for a driver that takes nothing else
  bool has_objects;           // is one, or has members or images that are
  int nvjitlink;              // its nvjitlink::InputKind
  std::optional<int> driver;  // its CUjitInputType; nothing where the driver's linker does not take it
};
const InputTypeFacts& facts_of(InputType type);
/// InputType::detect for one that only later versions of Kiln know.
InputType input_type_of(std::string_view name);
inline constexpr InputType last_input_type = InputType::nvvm_ir;

/// For texts: "a cubin", "PTX".
inline std::string describe(InputType type) { return std::string(facts_of(type).kind); }

/// What the bytes are. Throws ArgumentError, which names the input, for what no linker takes: nothing, an executable
/// cubin, a library or an object of the host without device code, source text, anything unknown or damaged; and where
/// the bytes are not of the type `given`. Never reads outside.
InputType detect_input(std::string_view bytes, InputType given, const std::string& name);

/// What a program or shared library of the host was linked from on the device: a fatbin for each of its sources that
/// were compiled with -rdc=true. Empty for an object. Throws ArgumentError, which names the input, where there is none.
std::vector<std::string_view> linked_parts(std::string_view host, const std::string& name);

/// Throws ArgumentError, which names the input, for a fatbin of executable cubins: nvJitLink takes it, and leaves its
/// kernels out. Throws Error where it is damaged.
void require_relocatable_images(std::string_view fatbin, const std::string& name);

/// Code in the cache that was not read: a link that was made before needs no more than its key.
struct KeptCode {
  std::string key;   // of its entry
  std::string arch;  // that was asked for, "sm_90"
  std::function<CodeObject()> read;
};

/// One input. Never changes once made.
struct LinkInput {
  InputType type = InputType::detect;
  std::string name;
  /// The bytes of a compile's code, else of `data`; of a library of the toolkit's neither, but its path: it is read by
  /// the linker alone.
  std::shared_ptr<const CodeData> code = nullptr;
  std::string data = {};
  std::string path = {};
  /// Where this is set there are no bytes: link_for puts the code in its place before it links.
  std::shared_ptr<const KeptCode> kept = nullptr;

  /// Behind PTX there is a zero byte.
  std::string_view bytes() const noexcept { return code ? code->bytes : std::string_view(data); }
};

using LinkInputs = std::vector<std::shared_ptr<const LinkInput>>;

/// The header of LTO-IR.
struct LtoirHeader {
  std::string arch;     // "lto_90"; empty where it names none
  std::string version;  // of the container and of the IR within: "1.65, NVVM IR 2.98"
};
/// Nothing where the bytes are no LTO-IR.
std::optional<LtoirHeader> ltoir_header(std::string_view bytes);

/// What is known of an input without linking it.
struct InputFacts {
  std::vector<std::string> archs;  // "sm_90", "compute_90", "lto_90": what there is code of it for
  std::optional<Version> ptx;      // of PTX text, its .version
  bool has_ltoir = false;
};
/// As far as it can be read: less where it is damaged or packed. Nothing of a toolkit's library.
InputFacts facts_of(const LinkInput& input);

/// The kinds of its kernels' parameters, as far as it has PTX or comes from a compile that had. Nothing of a toolkit's
/// library.
ParameterKinds parameter_kinds_of(const LinkInput& input);

/// The members of a library that hold something, in order: not its tables. Throws Error where it is damaged.
std::vector<std::string_view> library_members(std::string_view library);
/// The input's bytes, or those of a library's members.
std::vector<std::string_view> objects_in(const LinkInput& input);
/// The fatbins in a host's object, or the one that the bytes are; none in other bytes. Throws Error where they are
/// damaged.
std::vector<std::string_view> fatbins_in(std::string_view object);

}  // namespace kiln
