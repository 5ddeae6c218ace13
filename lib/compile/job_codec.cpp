#include "compile/job_codec.hpp"

#include "cache/byte_io.hpp"

#include <kiln/error.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace kiln {

namespace {

// Both begin with these, whose last digit is the format's number: to be changed with it.
constexpr std::string_view job_mark = "kilnjob2";
constexpr std::string_view answer_mark = "kilnans2";

enum class Kind : std::uint8_t { output, compile_error, toolkit_error, error };

using Strings = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

class Writer {
 public:
  explicit Writer(std::string_view mark) : bytes_(mark) {}

  void byte(std::uint8_t value) { append_integer(bytes_, value); }
  void text(std::string_view text) {
    append_integer(bytes_, static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  void texts(const Strings& texts) {
    append_integer(bytes_, static_cast<std::uint64_t>(texts.size()));
    for (const std::string& item : texts) text(item);
  }
  template <class Pairs>
  void pairs(const Pairs& pairs) {
    append_integer(bytes_, static_cast<std::uint64_t>(pairs.size()));
    for (const auto& [first, second] : pairs) {
      text(first);
      text(second);
    }
  }
  void kinds(const ParameterKinds& kinds) {
    append_integer(bytes_, static_cast<std::uint64_t>(kinds.size()));
    for (const auto& [symbol, list] : kinds) {
      text(symbol);
      append_integer(bytes_, static_cast<std::uint64_t>(list.size()));
      for (const ParameterKind kind : list) byte(static_cast<std::uint8_t>(kind));
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view mark) : bytes_(bytes), known_(bytes_.bytes(mark.size()) == mark) {}

  /// One of 0 to `last`.
  std::uint8_t byte(std::uint8_t last) {
    const auto value = bytes_.integer<std::uint8_t>();
    if (value > last) known_ = false;
    return known_ ? value : std::uint8_t{0};
  }
  bool flag() { return byte(1) != 0; }
  std::string text() { return std::string(bytes_.bytes(bytes_.integer<std::uint64_t>())); }
  // A count that is too large ends with the bytes: each item takes some.
  Strings texts() {
    Strings texts;
    for (auto count = bytes_.integer<std::uint64_t>(); count != 0 && !bytes_.failed(); --count) texts.push_back(text());
    return texts;
  }
  Pairs pairs() {
    Pairs pairs;
    for (auto count = bytes_.integer<std::uint64_t>(); count != 0 && !bytes_.failed(); --count) {
      std::string first = text();
      pairs.emplace_back(std::move(first), text());
    }
    return pairs;
  }
  ParameterKinds kinds() {
    ParameterKinds kinds;
    for (auto count = bytes_.integer<std::uint64_t>(); count != 0 && !bytes_.failed(); --count) {
      std::vector<ParameterKind>& list = kinds[text()];
      for (auto left = bytes_.integer<std::uint64_t>(); left != 0 && !bytes_.failed(); --left)
        list.push_back(static_cast<ParameterKind>(byte(static_cast<std::uint8_t>(last_parameter_kind))));
    }
    return kinds;
  }
  bool is_whole() const { return known_ && bytes_.finished(); }

 private:
  ByteReader bytes_;
  bool known_;
};

std::string encode_failure(Kind kind, const char* message, const std::string& log, const Strings& list) {
  Writer out(answer_mark);
  out.byte(static_cast<std::uint8_t>(kind));
  out.text(message);
  out.text(log);
  out.texts(list);
  return out.take();
}

[[noreturn]] void throw_failure(Kind kind, const std::string& message, std::string log, Strings list) {
  if (kind == Kind::compile_error) throw CompileError(message, std::move(log), std::move(list));
  if (kind == Kind::toolkit_error) throw ToolkitError(message, std::move(list));
  throw Error(message);
}

}  // namespace

std::string encode_job(const WorkerJob& job) {
  // All members by name, so that a new one cannot be forgotten here.
  const auto& [source, prologue, epilogue, name, arguments, users_arguments, arch, code, target, headers, header_folder,
               name_expressions, trace_headers, keep, verbatim, preprocess_only, stop] = job.job;
  (void)verbatim, (void)preprocess_only, (void)stop;  // the first two are for nvcc, the last is the parent's
  Writer out(job_mark);
  out.text(source);
  out.text(prologue);
  out.text(epilogue);
  out.text(name);
  out.texts(arguments);
  out.texts(users_arguments);
  out.text(arch);
  out.text(code);
  out.byte(static_cast<std::uint8_t>(target));
  out.pairs(headers);
  out.text(header_folder);
  out.texts(name_expressions);
  out.byte(trace_headers);
  out.byte(keep);
  out.text(job.nvrtc);
  out.text(job.identity);
  out.text(job.trace_folder);
  return out.take();
}

std::optional<WorkerJob> decode_job(std::string_view bytes) {
  Reader in(bytes, job_mark);
  WorkerJob made;
  CompilerJob& job = made.job;
  job.source = in.text();
  job.prologue = in.text();
  job.epilogue = in.text();
  job.name = in.text();
  job.arguments = in.texts();
  job.users_arguments = in.texts();
  job.arch = in.text();
  job.code = in.text();
  job.target = static_cast<Target>(in.byte(static_cast<std::uint8_t>(Target::optixir)));
  for (auto& header : in.pairs()) job.headers.insert(std::move(header));
  job.header_folder = in.text();
  job.name_expressions = in.texts();
  job.trace_headers = in.flag();
  job.keep = in.flag();
  made.nvrtc = in.text();
  made.identity = in.text();
  made.trace_folder = in.text();
  if (!in.is_whole()) return std::nullopt;
  return made;
}

std::string encode_output(const CompilerOutput& output) {
  const auto& [code, log, lowered_names, headers, options, parameter_kinds, kept_folder] = output;
  (void)kept_folder;  // nvcc's
  Writer out(answer_mark);
  out.byte(static_cast<std::uint8_t>(Kind::output));
  out.text(code);
  out.text(log);
  out.pairs(lowered_names);
  out.byte(headers.has_value());
  if (headers) out.texts(*headers);
  out.texts(options);
  out.kinds(parameter_kinds);
  return out.take();
}

std::string encode_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const CompileError& failure) {
    return encode_failure(Kind::compile_error, failure.what(), failure.log(), failure.options());
  } catch (const ToolkitError& failure) {
    return encode_failure(Kind::toolkit_error, failure.what(), {}, failure.searched());
  } catch (const std::exception& failure) {
    return encode_failure(Kind::error, failure.what(), {}, {});
  }
}

std::optional<CompilerOutput> decode_answer(std::string_view bytes) {
  Reader in(bytes, answer_mark);
  const Kind kind = static_cast<Kind>(in.byte(static_cast<std::uint8_t>(Kind::error)));
  if (kind != Kind::output) {
    std::string message = in.text();
    std::string log = in.text();
    Strings list = in.texts();
    if (in.is_whole()) throw_failure(kind, message, std::move(log), std::move(list));
    return std::nullopt;
  }
  CompilerOutput output;
  output.code = in.text();
  output.log = in.text();
  output.lowered_names = in.pairs();
  if (in.flag()) output.headers = in.texts();
  output.options = in.texts();
  output.parameter_kinds = in.kinds();
  if (!in.is_whole()) return std::nullopt;
  return output;
}

}  // namespace kiln
