#include "generate/elementwise_source.hpp"

#include "generate/generated_module.hpp"
#include "generate/lane_text.hpp"
#include "generate/staged_vectors.hpp"
#include "generate/stride_text.hpp"

#include <cstddef>
#include <utility>

namespace kiln {

namespace {

class Writer {
 public:
  Writer(const ElementwiseSource& source, std::string index)
      : source_(source), name_(source.options.name), index_(std::move(index)) {}

  std::string preamble() const {
    return includes_for({parameters_text(source_.arguments.parameters), source_.operation}) +
           lined_part(source_.options.preamble, name_, "preamble");
  }

  std::string plain(const std::string& name) const {
    return head(name, "long n") + "  const " + index_ + " kiln_turn = (" + index_ + ")gridDim.x * blockDim.x;\n" +
           loop_prep() + "  for (" + index_ + " i = (" + index_ +
           ")blockIdx.x * blockDim.x + threadIdx.x; i < n; i += kiln_turn) {" + operation() + "  ;}\n" + after_loop() +
           "}\n";
  }
  std::string range(const std::string& name) const {
    return ranged(head(name, "long n, long start, long kiln_count, long step"), {});
  }
  std::string strided(const std::string& name, std::size_t dimensions) const {
    const std::string rank = std::to_string(dimensions);
    std::size_t vectors = 0;
    // Behind all of them, as a name hides its own kind from its declaration on.
    std::string places = "    const kiln_generated::indices<" + rank + "> kiln_at(i, n, kiln_places.extents);\n", names;
    for (std::size_t k = 0; k < source_.arguments.parameters.size(); ++k) {
      const GeneratedParameter& vector = source_.arguments.parameters[k];
      if (!source_.arguments.uses[k].only_at_i) continue;
      places += strided_place(vector, rank, "kiln_places.strides[" + std::to_string(vectors++) + "]");
      names.append("    const auto& ").append(vector.name).append(" = kiln_").append(vector.name).append("_here;\n");
    }
    return ranged(head(name, "long n, long start, long kiln_count, long step, const kiln_generated::places<" + rank +
                                 ", " + std::to_string(vectors) + "> kiln_places"),
                  places + names);
  }
  std::string staged(const std::string& name) const {
    const StagedVectors vectors(source_.arguments, index_);
    return head(name, "long n") + vectors.size() + "  const " + index_ + " kiln_turn = (" + index_ +
           ")gridDim.x * blockDim.x * kiln_size;\n" + loop_prep() + "  for (" + index_ + " kiln_at = ((" + index_ +
           ")blockIdx.x * blockDim.x + threadIdx.x) * kiln_size; kiln_at < n; kiln_at += kiln_turn) {\n"
           "    if (kiln_at + kiln_size <= n) {\n" +
           vectors.loads() +
           "#pragma unroll\n"
           "      for (unsigned kiln_k = 0; kiln_k < kiln_size; ++kiln_k) {\n"
           "        const " +
           index_ + " i = kiln_at + kiln_k;\n" + vectors.windows() + "        {" + operation() +
           "        ;}\n      }\n" + vectors.stores() +
           "    } else {  // at the end of the vectors\n"
           "      for (" +
           index_ + " i = kiln_at; i < n; ++i) {" + operation() + "      ;}\n    }\n  }\n" + after_loop() + "}\n";
  }

 private:
  static std::string strided_place(const GeneratedParameter& vector, const std::string& rank,
                                   const std::string& strides) {
    return "    const kiln_generated::strided<" + std::string(vector.is_const ? "const " : "") + element_type(vector) +
           ", " + rank + "> kiln_" + vector.name + "_here{" + vector.name + ", " + vector.name + " + kiln_at.place(" +
           strides + "), i, n, kiln_places.extents, " + strides + "};\n";
  }
  std::string head(const std::string& name, const std::string& last) const {
    return "__global__ void " + name + "(" + parameters_text(source_.arguments.parameters) + ", " + last + ") {\n";
  }
  /// A kernel of the elements start, start + step, ...; `each` stands before the operation. They are counted, as i may
  /// go beyond what a long holds behind its last value.
  std::string ranged(const std::string& its_head, const std::string& each) const {
    return its_head + "  const long kiln_turn = (long)gridDim.x * blockDim.x;\n" + loop_prep() +
           "  for (long kiln_k = (long)blockIdx.x * blockDim.x + threadIdx.x; kiln_k < kiln_count; kiln_k += "
           "kiln_turn) {\n    long i = start + kiln_k * step;\n" +
           each + operation() + "  ;}\n" + after_loop() + "}\n";
  }
  std::string operation() const { return lined_part(source_.operation, name_, "operation"); }
  std::string loop_prep() const { return with_end(lined_part(source_.options.loop_prep, name_, "loop_prep")); }
  std::string after_loop() const { return with_end(lined_part(source_.options.after_loop, name_, "after_loop")); }
  static std::string with_end(const std::string& text) { return text.empty() ? text : text + "  ;\n"; }

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
    text += std::string(lane_text()) + writer.staged(name) + writer.plain(name + "_plain");
  else
    text += writer.plain(name);
  return text + writer.range(name + "_range");
}

std::string ElementwiseSource::strided_text(std::size_t dimensions) const {
  const Writer writer(*this, "long");
  return writer.preamble() + std::string(lane_text()) + std::string(stride_text()) +
         writer.strided(options.name + "_strided", dimensions);
}

std::string ElementwiseSource::plain_text() const {
  const Writer writer(*this, "unsigned");
  return writer.preamble() + writer.plain(options.name);
}

}  // namespace kiln
