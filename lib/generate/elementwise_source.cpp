#include "generate/elementwise_source.hpp"

#include "base/argument_error.hpp"
#include "generate/element_sizes.hpp"
#include "generate/lane_text.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reserved_text.hpp"
#include "generate/staged_vectors.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

// What a kernel for strided views begins with, after lane_text: places of elements by their strides.

/// CUDA C++.
std::string_view stride_text() {
  return reserved_text([] {
    return R"cuda(
template <unsigned $dimensions, unsigned $vectors>
struct $places {
  long $extents[$dimensions];
  long $strides[$vectors][$dimensions];
};
// The indices of element i, the last one fastest.
template <unsigned $dimensions>
struct $indices {
  long $at[$dimensions];
  __device__ __forceinline__ $indices(long $i, long $n, const long* $extents) {
    if ($n <= 0xffffffff)
      $split((unsigned)$i, $extents);  // division of 64 bits takes several times as long
    else
      $split((unsigned long)$i, $extents);
  }
  template <class $Index>
  __device__ __forceinline__ void $split($Index $rest, const long* $extents) {
#pragma unroll
    for (unsigned $d = $dimensions - 1; $d > 0; --$d) {
      const $Index $extent = ($Index)$extents[$d];
      $at[$d] = (long)($rest % $extent);
      $rest /= $extent;
    }
    $at[0] = (long)$rest;
  }
  __device__ __forceinline__ long $place(const long* $strides) const {
    long $sum = 0;
#pragma unroll
    for (unsigned $d = 0; $d < $dimensions; ++$d) $sum += $at[$d] * $strides[$d];
    return $sum;
  }
};
// A vector as the operation sees it.
template <class $T, unsigned $dimensions>
struct $strided {
  $T* $first;
  $T* $here;
  long $i, $n;
  const long* $extents;
  const long* $strides;
  template <class $Given>
  __device__ __forceinline__ $T& operator[]($Given $given) const {
    if ((long)$given == $i) return *$here;
    return $first[$indices<$dimensions>((long)$given, $n, $extents).$place($strides)];  // by a macro of the program
  }
};
)cuda";
  });
}

class Writer {
 public:
  Writer(const ElementwiseSource& source, std::string index)
      : source_(source), name_(source.options.name), index_(std::move(index)) {}

  std::string preamble() const {
    return includes_for({parameters_text(source_.arguments.parameters), source_.operation}) +
           lined_part(source_.options.preamble, name_, "preamble", preamble_end) + std::string(index_text());
  }

  std::string plain(const std::string& name) const {
    return head(name, "long n") + "  const " + index_ + " __kiln_turn = " + thread_count(index_) + ";\n" + loop_prep() +
           "  for (" + index_ + " i = " + thread_index(index_) + "; i < n; i += __kiln_turn) {" + operation() +
           after_loop() + "}\n";
  }
  std::string range(const std::string& name) const { return ranged(head(name, std::string("long n") + its_range), {}); }
  std::string strided(const std::string& name, std::size_t dimensions) const {
    const std::string rank = std::to_string(dimensions);
    std::size_t vectors = 0;
    // After all of them, as a name hides its own kind from its declaration on.
    std::string places = "    const __kiln_indices<" + rank + "> __kiln_at(i, n, __kiln_layout.__kiln_extents);\n",
                names;
    for (std::size_t k = 0; k < source_.arguments.parameters.size(); ++k) {
      const GeneratedParameter& vector = source_.arguments.parameters[k];
      if (!source_.arguments.uses[k].only_at_i) continue;
      places += strided_place(vector, rank, "__kiln_layout.__kiln_strides[" + std::to_string(vectors++) + "]");
      names += element_name(vector);
    }
    return ranged(head(name, std::string("long n") + its_range + ", const __kiln_places<" + rank + ", " +
                                 std::to_string(vectors) + "> __kiln_layout"),
                  places + names);
  }
  std::string staged(const std::string& name) const {
    const StagedVectors vectors(source_.arguments, index_);
    return head(name, "long n") + vectors.size() + "  const " + index_ + " __kiln_turn = " + thread_count(index_) +
           " * __kiln_size;\n" + loop_prep() + "  for (" + index_ + " __kiln_at = " + thread_index(index_) +
           " * __kiln_size; __kiln_at < n; __kiln_at += __kiln_turn) {\n"
           "    if (__kiln_at + __kiln_size <= n) {\n" +
           vectors.loads() +
           "#pragma unroll\n"
           "      for (unsigned __kiln_k = 0; __kiln_k < __kiln_size; ++__kiln_k) {\n"
           "        const " +
           index_ + " i = __kiln_at + __kiln_k;\n" + vectors.windows() + "        {" + operation() + "      }\n" +
           vectors.stores() +
           "    } else {  // at the end of the vectors\n"
           "      for (" +
           index_ + " i = __kiln_at; i < n; ++i) {" + operation() + "    }\n  }\n" + after_loop() + "}\n";
  }

 private:
  static std::string strided_place(const GeneratedParameter& vector, const std::string& rank,
                                   const std::string& strides) {
    return "    const __kiln_strided<" + std::string(vector.is_const ? "const " : "") + element_type(vector) + ", " +
           rank + "> __kiln_here_of_" + vector.name + "{" + vector.name + ", " + vector.name +
           " + __kiln_at.__kiln_place(" + strides + "), i, n, __kiln_layout.__kiln_extents, " + strides + "};\n";
  }
  std::string head(const std::string& name, const std::string& last) const {
    return "__global__ void " + name + "(" + parameters_text(source_.arguments.parameters) + ", " + last + ") {\n";
  }
  /// A kernel of the elements start, start + step, ...; `each` stands before the operation. They are counted, as i may
  /// go beyond what a long holds after its last value.
  std::string ranged(const std::string& its_head, const std::string& each) const {
    return its_head + "  const long __kiln_turn = " + thread_count("long") + ";\n" + loop_prep() +
           "  for (long __kiln_k = " + thread_index("long") +
           "; __kiln_k < __kiln_count; __kiln_k += "
           "__kiln_turn) {\n    long i = __kiln_start + __kiln_k * __kiln_step;\n" +
           each + operation() + after_loop() + "}\n";
  }
  /// With the end of the loop's body.
  std::string operation() const {
    return source_.operation.empty() ? "}\n" : lined_part(source_.operation, name_, "operation", ";}");
  }
  std::string loop_prep() const { return lined_part(source_.options.loop_prep, name_, "loop_prep", ";"); }
  std::string after_loop() const { return lined_part(source_.options.after_loop, name_, "after_loop", ";"); }

  static constexpr const char* its_range = ", long __kiln_start, long __kiln_count, long __kiln_step";

  const ElementwiseSource& source_;
  const std::string& name_;
  const std::string index_;  // the type of i
};

}  // namespace

std::string ElementwiseSource::text() const { return text("unsigned"); }
std::string ElementwiseSource::wide_text() const { return text("unsigned long"); }

std::string ElementwiseSource::text(const char* index) const {
  const Writer writer(*this, index);
  const std::string& name = options.name;
  std::string text = writer.preamble();
  if (arguments.is_staged())
    text += std::string(lane_text()) + writer.staged(name) + writer.plain(name + plain_suffix);
  else
    text += writer.plain(name);
  return text + writer.range(name + range_suffix) + element_sizes_text(arguments);
}

std::string ElementwiseSource::strided_text(std::size_t dimensions) const {
  const Writer writer(*this, "long");
  return writer.preamble() + std::string(lane_text()) + std::string(stride_text()) +
         writer.strided(options.name + strided_suffix, dimensions);
}

std::string ElementwiseSource::plain_text() const {
  const Writer writer(*this, "unsigned");
  return writer.preamble() + writer.plain(options.name);
}

GeneratorTexts ElementwiseSource::texts() const {
  return {options.name, options.preamble, options.options, options.compile, options.keep};
}

ElementwiseSource read_elementwise(std::string_view given_arguments, std::string_view operation,
                                   const ElementwiseOptions& given_options) {
  ElementwiseSource source;
  source.options = given_options;
  source.operation = operation;
  std::string arguments(given_arguments);
  const ElementwiseOptions& options = source.options;
  use_device_complex(
      {&arguments, &source.operation, &source.options.preamble, &source.options.loop_prep, &source.options.after_loop});
  const GeneratorTexts texts = source.texts();
  texts.check("ElementwiseKernel", {"i", "n"});
  const std::string subject = "ElementwiseKernel " + options.name;
  VectorArguments& all = source.arguments;
  all.kernel = options.name;
  all.parameters = parse_parameters(arguments, subject + ": arguments");
  if (std::none_of(all.parameters.begin(), all.parameters.end(), [](const auto& one) { return one.is_vector; }))
    refuse(subject + ": arguments", "at least one vector, which is a pointer", '"' + arguments + '"');
  check_text(source.operation, subject + ": operation");
  check_text(options.loop_prep, subject + ": loop_prep");
  check_text(options.after_loop, subject + ": after_loop");
  const std::string defines = texts.defines();
  const OperationContext context = {options.preamble, defines, options.loop_prep};
  all.uses = element_uses(all.parameters, source.operation, context);
  source.is_any_order = is_any_order(all.parameters, all.uses, source.operation, context);
  return source;
}

}  // namespace kiln
