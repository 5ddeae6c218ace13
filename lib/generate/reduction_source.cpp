#include "generate/reduction_source.hpp"

#include "base/argument_error.hpp"
#include "generate/element_sizes.hpp"
#include "generate/lane_text.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reserved_text.hpp"
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
           lined_part(options.preamble, name_, "preamble", preamble_end) + std::string(index_text()) +
           std::string(lane_text()) +
           value_functions({name_, source_.type, source_.size, options.neutral, options.reduce_expr, "reduce_expr",
                            options.post_expr});
  }

  /// What is wrong with the program's own texts is said of them, and of no function that uses them.
  std::string texts_alone() const {
    return functions() + "__global__ void " + name_ + "(" + parameters() +
           ", __kiln_Value* __kiln_out, long n) {\n  for (unsigned i = 0; i < n; ++i)\n"
           "    __kiln_out[0] = __kiln_reduce(__kiln_neutral(), (" +
           map() + ");\n}\n";
  }

  std::string plain(const std::string& name) const {
    return head(name) + turns("n") + "  __kiln_Value __kiln_sum = __kiln_neutral();\n  " + index_ +
           " i = __kiln_thread;\n#pragma unroll 8\n"
           "  for (" +
           index_ +
           " __kiln_k = 0; __kiln_k < __kiln_turns; ++__kiln_k, i += __kiln_threads)\n"
           "    __kiln_sum = __kiln_reduce(__kiln_sum, (" +
           map() + ");\n" + end("__kiln_sum");
  }

  std::string staged(const std::string& name) const {
    const StagedVectors vectors(source_.arguments, index_);
    return head(name) + vectors.size() + turns("n / __kiln_size") +
           "  __kiln_lanes<__kiln_Value, __kiln_size> __kiln_sums;\n"
           "#pragma unroll\n"
           "  for (unsigned __kiln_k = 0; __kiln_k < __kiln_size; ++__kiln_k) __kiln_sums.__kiln_values[__kiln_k] = "
           "__kiln_neutral();\n  " +
           index_ + " __kiln_at = __kiln_thread * __kiln_size;\n#pragma unroll " + unrolled(vectors.count()) +
           "\n  for (" + index_ +
           " __kiln_turn = 0; __kiln_turn < __kiln_turns; ++__kiln_turn, __kiln_at += __kiln_threads * __kiln_size) "
           "{\n" +
           vectors.loads() +
           "#pragma unroll\n"
           "    for (unsigned __kiln_k = 0; __kiln_k < __kiln_size; ++__kiln_k) {\n"
           "      const " +
           index_ + " i = __kiln_at + __kiln_k;\n" + vectors.windows() +
           "      __kiln_sums.__kiln_values[__kiln_k] = __kiln_reduce(__kiln_sums.__kiln_values[__kiln_k], (" + map() +
           ");\n    }\n  }\n"
           "  // Of one thread, at the end of the vectors.\n"
           "  for (" +
           index_ +
           " i = __kiln_at; i < n; ++i)\n    __kiln_sums.__kiln_values[0] = "
           "__kiln_reduce(__kiln_sums.__kiln_values[0], (" +
           map() +
           ");\n"
           "#pragma unroll\n"
           "  for (unsigned __kiln_k = 1; __kiln_k < __kiln_size; ++__kiln_k)\n"
           "    __kiln_sums.__kiln_values[0] = __kiln_reduce(__kiln_sums.__kiln_values[0], "
           "__kiln_sums.__kiln_values[__kiln_k]);\n" +
           end("__kiln_sums.__kiln_values[0]");
  }

 private:
  std::string parameters() const { return parameters_text(source_.arguments.parameters); }
  std::string head(const std::string& name) const {
    return "__global__ void __launch_bounds__(256, 4) " + name + "(" + parameters() +
           ", __kiln_Value* __kiln_out, __kiln_Value* __kiln_partials, unsigned* __kiln_counter, long n) {\n";
  }
  /// The number of a thread's iterations for `count` things. Known before the loop, so that several iterations' loads
  /// are in flight at once.
  std::string turns(const std::string& count) const {
    const std::string type = "const " + index_ + " ";
    return "  " + type + "__kiln_threads = " + thread_count(index_) + ";\n  " + type +
           "__kiln_thread = " + thread_index(index_) + ";\n  " + type + "__kiln_count = " + count + ";\n  " + type +
           "__kiln_turns = __kiln_thread < __kiln_count ? (__kiln_count - __kiln_thread - 1) / __kiln_threads + 1 : "
           "0;\n";
  }
  static std::string end(const std::string& sum) {
    return "  __kiln_finish(" + sum + ", __kiln_out, __kiln_partials, __kiln_counter);\n}\n";
  }
  std::string map() const { return lined_part(source_.options.map_expr, name_, "map_expr", ")"); }

  /// So many iterations of a thread's loop that 8 words are in flight.
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
  const std::string sizes = element_sizes_text(arguments);
  if (!arguments.is_staged()) return writer.begin() + writer.plain(options.name) + sizes;
  return writer.begin() + writer.staged(options.name) + writer.plain(options.name + plain_suffix) + sizes;
}

std::string ReductionSource::plain_text() const { return ReductionWriter(*this, "unsigned").texts_alone(); }

GeneratorTexts ReductionSource::texts() const {
  return {options.name, options.preamble, options.options, options.compile, options.keep};
}

ReductionSource read_reduction(const ReductionOptions& given_options, std::string type, std::size_t size) {
  ReductionSource source;
  source.options = given_options;
  ReductionOptions& all_texts = source.options;
  const ReductionOptions& options = all_texts;
  use_device_complex({&type, &all_texts.arguments, &all_texts.neutral, &all_texts.reduce_expr, &all_texts.map_expr,
                      &all_texts.post_expr, &all_texts.preamble});
  const GeneratorTexts texts = source.texts();
  texts.check("ReductionKernel", {"a", "b", "i", "n"});
  const std::string subject = "ReductionKernel " + options.name + ": ";
  source.type = options.type.empty() ? complex_type_of(type, options.arguments) : type;
  source.size = size;
  std::string& map = source.options.map_expr;
  if (map.empty()) map = "in[i]";
  if (options.neutral.find_first_not_of(" \t\n") == std::string::npos)
    refuse(subject + "neutral", "a value that changes nothing, such as \"0\" for a sum", "nothing");
  if (options.reduce_expr.empty())
    refuse(subject + "reduce_expr", "an expression of a and b, such as \"a + b\"", "nothing");
  check_text(options.neutral, subject + "neutral");
  check_text(options.reduce_expr, subject + "reduce_expr");
  check_text(map, subject + "map_expr");
  check_text(options.post_expr, subject + "post_expr");
  refuse_reserved(type, subject + "type");
  VectorArguments& all = source.arguments;
  all.kernel = options.name;
  all.parameters =
      parse_parameters(options.arguments.empty() ? "const " + type + "* in" : options.arguments, subject + "arguments");
  if (std::none_of(all.parameters.begin(), all.parameters.end(), [](const auto& one) { return one.is_vector; }))
    refuse(subject + "arguments", "at least one vector, which is a pointer", '"' + options.arguments + '"');
  const std::string defines = texts.defines();
  all.uses = element_uses(all.parameters, map, {options.preamble, defines});
  for (ElementUse& use : all.uses) use.can_be_staged = use.can_be_staged && use.store == ElementUse::Store::never;
  return source;
}

}  // namespace kiln
