#include "compile/worker/worker_answer.hpp"

#include <kiln/error.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln {

namespace {

enum class Kind : std::uint8_t {
  error,
  compile_error,
  toolkit_error,
  argument_error,
  timed_out,
  cancelled,
  not_cached,
  unfit
};

/// All that any of the errors knows.
struct Failure {
  Kind kind = Kind::error;
  std::string message = {};
  std::string log = {};
  std::vector<std::string> list = {};  // options, what was searched, or why it is not in the cache
  std::string kernel = {};             // these four of ArgumentError; the name of what is not in the cache
  std::size_t index = 0;
  std::string expected = {};  // the architecture of what is not in the cache
  std::string given = {};
};

Failure failure_of(const ArgumentError& error) {
  return {Kind::argument_error, error.what(), {}, {}, error.kernel(), error.index(), error.expected(), error.given()};
}

Failure failure_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const WorkerUnfit&) {
    return {Kind::unfit};
  } catch (const CompileError& error) {
    return {Kind::compile_error, error.what(), error.log(), error.options()};
  } catch (const CompileStopped& error) {
    return {error.timed_out() ? Kind::timed_out : Kind::cancelled, error.what()};
  } catch (const NotCached& error) {
    return {Kind::not_cached, error.what(), {}, error.reasons(), error.name(), 0, error.arch()};
  } catch (const ToolkitError& error) {
    return {Kind::toolkit_error, error.what(), {}, error.searched()};
  } catch (const ArgumentError& error) {
    return failure_of(error);
  } catch (const std::exception& error) {
    return {Kind::error, error.what()};
  }
}

}  // namespace

template <>
inline constexpr Kind last_of<Kind> = Kind::unfit;

std::string encode_failure(const std::exception_ptr& failure) {
  WireWriter out;
  out(failure_of(failure));
  return failure_mark + out.take();
}

void throw_failure(std::string_view bytes) {
  WireReader in(bytes);
  Failure failure;
  in(failure);
  if (!in.is_whole()) return;
  switch (failure.kind) {
    case Kind::unfit:
      throw WorkerUnfit{};
    case Kind::compile_error:
      throw CompileError(failure.message, std::move(failure.log), std::move(failure.list));
    case Kind::toolkit_error:
      throw ToolkitError(failure.message, std::move(failure.list));
    case Kind::argument_error:
      throw ArgumentError(failure.message, std::move(failure.kernel), failure.index, std::move(failure.expected),
                          std::move(failure.given));
    case Kind::timed_out:
    case Kind::cancelled:
      throw CompileStopped(failure.message, failure.kind == Kind::timed_out);
    case Kind::not_cached:
      throw NotCached(failure.message, std::move(failure.kernel), std::move(failure.expected), std::move(failure.list));
    case Kind::error:
      throw Error(failure.message);
  }
}

}  // namespace kiln
