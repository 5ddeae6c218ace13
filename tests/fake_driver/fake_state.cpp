#include "fake_state.hpp"

#include <charconv>
#include <cstdlib>

/// The answer to Kiln's question which kinds of code this driver loads.
extern "C" {
extern unsigned kiln_driver_code_kinds;
unsigned kiln_driver_code_kinds = 3;
}

namespace fake_cuda {
namespace {

int int_in(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> list(const char* variable) {
  std::vector<std::string_view> items;
  const char* value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    items.push_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return items;
}

}  // namespace

std::atomic<bool> recording{true};

State::State() {
  const std::vector<std::string_view> devices = list("KILN_FAKE_DEVICES");
  if (!devices.empty()) capabilities.clear();
  for (const std::string_view device : devices)
    if (device != "none") capabilities.push_back(int_in(device));
  for (const std::string_view kinds : list("KILN_FAKE_CODE_KINDS"))
    kiln_driver_code_kinds = static_cast<unsigned>(int_in(kinds));
  for (const std::string_view newer : list("KILN_FAKE_VERSION")) version = int_in(newer);
  for (const std::string_view item : list("KILN_FAKE_FAIL")) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) continue;
    failures[std::string(item.substr(0, equals))] = {int_in(item.substr(equals + 1)), 0, static_cast<std::size_t>(-1)};
  }
}

State& State::get() {
  static State* const state = new State;  // outlives every static object of the program under test
  return *state;
}

// The environment counts from the moment that the library is loaded: Kiln reads the code kinds before any call.
static State& loaded = State::get();

Context*& current_context() {
  thread_local Context* context = nullptr;
  return context;
}

// Without a destructor: static objects call the driver after the thread's objects are destroyed.
ContextStack& contexts_below() {
  thread_local ContextStack below{};
  return below;
}

void note_arguments(State& state, const char* name, std::vector<unsigned long long> arguments) {
  state.arguments[name].push_back(std::move(arguments));
}

std::optional<CUresult> note_call(State& state, const char* name) {
  ++state.counts[name];
  state.calls.emplace_back(name);
  const auto found = state.failures.find(name);
  if (found == state.failures.end()) return std::nullopt;
  Failure& failure = found->second;
  if (failure.skip > 0) {
    --failure.skip;
    return std::nullopt;
  }
  const CUresult result = static_cast<CUresult>(failure.result);
  if (--failure.times == 0) state.failures.erase(found);
  return result;
}

}  // namespace fake_cuda
