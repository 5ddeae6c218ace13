#include "generate/reduction_source.hpp"

#include "generate/generated_module.hpp"
#include "generate/lane_text.hpp"
#include "generate/reduce_text.hpp"
#include "generate/staged_vectors.hpp"
#include "generate/value_functions.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

class ReductionWriter {
 public:
  ReductionWriter(const ReductionSource& source, std::string index)
      : source_(source), name_(source.options.name), index_(std::move(index)) {}

  std::string begin() const { return functions() + std::string(shuffle_text()) + std::string(reduce_text()); }

  std::string functions() const {
    const ReductionOptions& options = source_.options;
    return includes_for({parameters(), source_.type, options.map_expr}) +
           lined_part(options.preamble, name_, "preamble") + std::string(lane_text()) +
           value_functions({name_, source_.type, source_.size, options.neutral, options.reduce_expr, "reduce_expr",
                            options.post_expr});
  }

  /// What is wrong with the program's own texts is said of them, and of no function that uses them.
  std::string texts_alone() const {
    return functions() + "__global__ void " + name_ + "(" + parameters() +
           ", kiln_value* kiln_out, long n) {\n  for (unsigned i = 0; i < n; ++i)\n"
           "    kiln_out[0] = kiln_reduce(kiln_neutral(), (" +
           map() + "));\n}\n";
  }

  std::string plain(const std::string& name) const {
    return head(name) + turns("n") + "  kiln_value kiln_sum = kiln_neutral();\n  " + index_ +
           " i = kiln_thread;\n#pragma unroll 8\n"
           "  for (" +
           index_ +
           " kiln_k = 0; kiln_k < kiln_turns; ++kiln_k, i += kiln_threads)\n"
           "    kiln_sum = kiln_reduce(kiln_sum, (" +
           map() + "));\n" + end("kiln_sum");
  }

  std::string staged(const std::string& name) const {
    const StagedVectors vectors(source_.arguments, index_);
    return head(name) + vectors.size() + turns("n / kiln_size") +
           "  kiln_generated::lanes<kiln_value, kiln_size> kiln_sums;\n"
           "#pragma unroll\n"
           "  for (unsigned kiln_k = 0; kiln_k < kiln_size; ++kiln_k) kiln_sums.values[kiln_k] = kiln_neutral();\n  " +
           index_ + " kiln_at = kiln_thread * kiln_size;\n#pragma unroll " + unrolled(vectors.count()) + "\n  for (" +
           index_ + " kiln_turn = 0; kiln_turn < kiln_turns; ++kiln_turn, kiln_at += kiln_threads * kiln_size) {\n" +
           vectors.loads() +
           "#pragma unroll\n"
           "    for (unsigned kiln_k = 0; kiln_k < kiln_size; ++kiln_k) {\n"
           "      const " +
           index_ + " i = kiln_at + kiln_k;\n" + vectors.windows() +
           "      kiln_sums.values[kiln_k] = kiln_reduce(kiln_sums.values[kiln_k], (" + map() +
           "));\n    }\n  }\n"
           "  // Of one thread, at the end of the vectors.\n"
           "  for (" +
           index_ + " i = kiln_at; i < n; ++i)\n    kiln_sums.values[0] = kiln_reduce(kiln_sums.values[0], (" + map() +
           "));\n"
           "#pragma unroll\n"
           "  for (unsigned kiln_k = 1; kiln_k < kiln_size; ++kiln_k)\n"
           "    kiln_sums.values[0] = kiln_reduce(kiln_sums.values[0], kiln_sums.values[kiln_k]);\n" +
           end("kiln_sums.values[0]");
  }

 private:
  std::string parameters() const { return parameters_text(source_.arguments.parameters); }
  std::string head(const std::string& name) const {
    return "__global__ void __launch_bounds__(256, 4) " + name + "(" + parameters() +
           ", kiln_value* kiln_out, kiln_value* kiln_partials, unsigned* kiln_counter, long n) {\n";
  }
  /// How often a thread has its turn at `count` things. Known before the loop, so that several turns' loads are on
  /// their way at once.
  std::string turns(const std::string& count) const {
    const std::string type = "const " + index_ + " ";
    return "  " + type + "kiln_threads = (" + index_ + ")gridDim.x * blockDim.x;\n  " + type + "kiln_thread = (" +
           index_ + ")blockIdx.x * blockDim.x + threadIdx.x;\n  " + type + "kiln_count = " + count + ";\n  " + type +
           "kiln_turns = kiln_thread < kiln_count ? (kiln_count - kiln_thread - 1) / kiln_threads + 1 : 0;\n";
  }
  static std::string end(const std::string& sum) {
    return "  kiln_generated::finish(" + sum + ", kiln_out, kiln_partials, kiln_counter);\n}\n";
  }
  std::string map() const { return lined_part(source_.options.map_expr, name_, "map_expr"); }

  /// So many turns of a thread's loop as keep 8 words on their way.
  static std::string unrolled(std::size_t vectors) {
    constexpr std::size_t words = 8;
    return std::to_string(std::max<std::size_t>(1, words / vectors));
  }

  const ReductionSource& source_;
  const std::string& name_;
  const std::string index_;
};

}  // namespace

std::string ReductionSource::text(const char* index) const {
  const ReductionWriter writer(*this, index);
  if (!arguments.is_staged()) return writer.begin() + writer.plain(options.name);
  return writer.begin() + writer.staged(options.name) + writer.plain(options.name + "_plain");
}

std::string ReductionSource::plain_text() const { return ReductionWriter(*this, "unsigned").texts_alone(); }

}  // namespace kiln
