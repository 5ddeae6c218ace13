// CodeObject: compiled code, and what it says about its kernels. No driver and no GPU needed.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/compile_timing.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct CodeData;

/// What kind of value a kernel parameter takes; `other` is a class, or a type that neither the kernel's name nor its
/// PTX shows. PTX marks pointers, to distinguish them from integers of 64 bits, only for sm_100 and later.
enum class ParameterKind { other, pointer, integer, floating, integer_or_pointer };

/// One kernel parameter, offset and size in bytes within the parameter buffer. Counterpart: cuKernelGetParamInfo.
struct Parameter {
  std::size_t offset = 0;  ///< in bytes, from the start of the parameters
  std::size_t size = 0;    ///< in bytes
  /// From the mangled name, else from the PTX of the same compile: also of machine code that Kiln compiled or linked.
  ParameterKind kind = ParameterKind::other;
  /// From the kernel's mangled name, such as "float const*"; empty for an extern "C" kernel.
  std::string type = {};
};

/// One kernel of a code object, as its code describes it; -1 where it does not. PTX has only what it declares: its
/// registers and what the driver's compiler adds are not known before that has run. Of a fatbin the figures are those
/// of the first image with machine code, else of its PTX.
struct KernelInfo {
  /// The symbol: mangled, or plain where the source says extern "C".
  std::string name = {};
  /// The name as a person writes it, with its parameter types: "ns::scale(float*, int)"; the symbol for extern "C".
  std::string readable_name = {};
  std::vector<Parameter> parameters = {};  ///< in order
  /// Of a thread.
  int registers = -1;
  /// Of a block, without the dynamic part that a launch adds.
  int shared_bytes = -1;
  /// Of a thread.
  int local_bytes = -1;
  /// Of the whole module, as the driver counts it for each kernel.
  int constant_bytes = -1;
  /// Threads that a block may have: what __launch_bounds__ says and, in machine code, what its registers allow.
  /// Counterpart: CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK.
  int max_threads_per_block = -1;
  /// What there is code of it for: "sm_90" is machine code, "compute_90" PTX. One, or several in a fatbin.
  std::vector<std::string> architectures = {};
};

/// Compiled or linked code. Copies share it; it never changes, so every member may be called from any thread.
/// Counterpart: the bytes that pycuda.compiler.compile returns.
class KILN_EXPORT CodeObject {
 public:
  /// The code: an ELF image (cubin), PTX text, a fatbin, LTO-IR or OptiX-IR. The view lives as long as a copy of this
  /// object.
  std::string_view bytes() const noexcept;
  Target target() const noexcept;  ///< what kind of code it is
  /// What the code was compiled for, such as "sm_90" or (PTX) "compute_90"; of a fatbin CompileOptions::nvcc.code, or
  /// what -gencode lists, where one was given.
  const std::string& arch() const noexcept;
  /// The source's name as CompileOptions::name gave it, else "kernel.cu" ("kernel.ll", "kernel.bc"); of linked code
  /// LinkOptions::name, else "linked". The reference lives as long as a copy of this object, as those below do.
  const std::string& name() const noexcept;
  /// What the code was compiled with, as the user gave it, and not as the environment completed it. Members that do not
  /// decide what is made (timeout, cancel, caching.durable) may be those of an equal request before. Throws
  /// ArgumentError for linked code, which has none.
  const CompileOptions& options() const;
  /// What the compiler was given when it made this code, word by word: the user's options, the environment's and Kiln's
  /// own; of nvcc the command line. Code from the cache may have been made in another folder, whose paths these are.
  /// Empty for linked code.
  const std::vector<std::string>& effective_options() const noexcept;
  /// The PTX: bytes() where that is PTX, else the PTX that the cubin was made of. The view lives as long as a copy of
  /// this object. Throws ArgumentError where none was kept: CompileOptions::keep_ptx. Counterpart: nvrtcGetPTX.
  std::string_view ptx() const;
  /// What the compiler said though it succeeded (warnings), also where the code came from the cache. Often empty.
  const std::string& log() const noexcept;
  /// The symbol of a name expression that was given to the compile, whatever its spacing. The reference lives as long
  /// as a copy of this object. Throws ArgumentError with the expressions that there are. Counterpart:
  /// nvrtcGetLoweredName.
  const std::string& lowered_name(std::string_view name_expression) const;
  /// Whether this call needed no compile and no link: the code came from memory or from disk.
  bool from_cache() const noexcept { return from_cache_; }
  /// Where the time of this call went. Throws ArgumentError where it was not measured: CompileOptions::timing. The
  /// reference lives as long as a copy of this object.
  const CompileTiming& timing() const;
  /// The compiler or linker that made it.
  Backend backend() const noexcept;
  /// The kernels, read from the code's own tables; each once, however many images of a fatbin have it. Empty for LTO-IR
  /// and OptiX-IR, which list none. Throws Error where the code is damaged, ToolkitError where an image of a fatbin is
  /// compressed and the library for that is missing. Counterpart: `cuobjdump --dump-resource-usage`.
  const std::vector<KernelInfo>& kernels() const;

  /// All of it as bytes, with what it was compiled of, so that a Module can compile it again for another device:
  /// source, in-memory headers and options (but for `cancel`). Linked code has no source, and fits the devices that it
  /// fits. The bytes have a version and a checksum, and no place: another process, or another machine, deserializes
  /// them. Counterpart: deserialize; Python's pickle.
  std::string serialize() const;
  /// What serialize made. The bytes are code, and what they say is executed: take them only from somebody you trust, as
  /// the checksum is against damage alone. from_cache() is false. Throws Error where they are damaged, another
  /// version's or none of serialize at all. Counterpart: serialize.
  static CodeObject deserialize(std::string_view bytes);
  /// Writes serialize() into a file, which appears, or replaces an earlier one, when it is complete. Throws Error where
  /// it cannot be written. Counterpart: load.
  void save(const std::filesystem::path& file) const;
  /// Reads a file that save made. Throws as deserialize does, with the path, and where it cannot be read. Counterpart:
  /// save.
  static CodeObject load(const std::filesystem::path& file);

  /// For Kiln itself.
  CodeObject(detail::Passkey, std::shared_ptr<const CodeData> data, bool from_cache,
             std::shared_ptr<const CompileTiming> timing = nullptr)
      : data_(std::move(data)), from_cache_(from_cache), timing_(std::move(timing)) {}
  const std::shared_ptr<const CodeData>& data() const noexcept { return data_; }  ///< for Kiln itself

 private:
  std::shared_ptr<const CodeData> data_;
  bool from_cache_;
  std::shared_ptr<const CompileTiming> timing_;  // null where it was not measured
};

}  // namespace kiln
