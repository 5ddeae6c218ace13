#include "fake_state.hpp"

#include <dlfcn.h>

extern "C" unsigned kiln_driver_code_kinds;

namespace fake_cuda {
namespace {

template <class Body>
auto locked(const Body& body) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  return body(state);
}

}  // namespace

std::string library_path() {
  Dl_info info = {};
  return dladdr(reinterpret_cast<const void*>(&library_path), &info) != 0 ? info.dli_fname : "";
}

void reset() {
  recording = true;
  locked([](State& state) {
    state.failures.clear();
    state.hidden.clear();
    state.calls.clear();
    state.counts.clear();
    state.launches.clear();
    state.arguments.clear();
  });
}

void set_devices(const std::vector<int>& capabilities) {
  locked([&](State& state) { state.capabilities = capabilities; });
}
void set_driver_version(int version) {
  locked([&](State& state) { state.version = version; });
}
void set_code_kinds(unsigned bits) {
  locked([&](State&) { kiln_driver_code_kinds = bits; });
}
void hide(const std::string& function) {
  locked([&](State& state) { state.hidden.insert(function); });
}
void set_recording(bool on) { recording = on; }

std::size_t calls(const std::string& function) {
  return locked([&](State& state) { return state.counts[function]; });
}
std::vector<std::string> calls() {
  return locked([](State& state) { return state.calls; });
}
std::vector<std::vector<unsigned long long>> arguments(const std::string& function) {
  return locked([&](State& state) { return state.arguments[function]; });
}
void fail(const std::string& function, int result, std::size_t skip, std::size_t times) {
  locked([&](State& state) { state.failures[function] = {result, skip, times}; });
}
std::vector<Launch> launches() {
  return locked([](State& state) { return state.launches; });
}

std::size_t live_allocations() {
  return locked([](State& state) { return state.memory.size(); });
}
std::size_t live_host_allocations() {
  return locked([](State& state) { return state.host_memory.size(); });
}
std::size_t live_registrations() {
  return locked([](State& state) { return state.registrations.size(); });
}
std::size_t live_libraries() {
  return locked([](State& state) { return state.libraries.size(); });
}
std::size_t live_streams() {
  return locked([](State& state) { return state.streams.size(); });
}
std::size_t live_events() {
  return locked([](State& state) { return state.events.size(); });
}
void set_capturing(const void* stream, bool on) {
  locked([&](State& state) { find(state.streams, static_cast<CUstream>(const_cast<void*>(stream)))->capturing = on; });
}
void set_l2(int persisting, int window) {
  locked([&](State& state) {
    state.persisting_l2 = persisting;
    state.l2_window = window;
  });
}
std::size_t persisting_l2_limit() {
  return locked([](State&) { return current_context() != nullptr ? current_context()->persisting_l2_limit : 0; });
}
std::size_t live_contexts() {
  return locked([](State& state) { return state.own_contexts.size(); });
}
int primary_context_retains(int device) {
  return locked([&](State& state) {
    const auto found = state.contexts.find(device);
    return found == state.contexts.end() ? 0 : found->second->retains;
  });
}

}  // namespace fake_cuda
