#include "module/reference_hook.hpp"

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/relaxed_capture.hpp"
#include "memory/stream_context.hpp"
#include "module/texture_reference.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {

namespace {

/// Unlike the handle never given again, and each thread's own for the per-thread default stream.
std::uint64_t id_of(CUstream stream) {
  unsigned long long id = 0;
  if (DriverExtras::get().stream_get_id(stream, &id) == CUDA_SUCCESS) return id;
  return reinterpret_cast<std::uintptr_t>(stream);
}

/// What `stream` gets later waits for what was recorded.
void precede(CUstream stream, const Event& mark) {
  check_work(Driver::get().stream_wait_event(stream, mark, CU_EVENT_WAIT_DEFAULT), "cuStreamWaitEvent");
}

void wait_for(const Event& mark) noexcept {
  if (const Driver* driver = Driver::if_open()) (void)driver->event_synchronize(mark);
}

constexpr EventFlags without_timing = {.timing = false};

}  // namespace

/// The stream's reader, or else one that is done, whose event serves again: streams come and go.
StreamMarks::Reader& StreamMarks::reader_of(std::uint64_t stream) {
  for (Reader& reader : readers_)
    if (reader.stream == stream) return reader;
  const RelaxedCapture relaxed;
  for (Reader& reader : readers_) {
    if (!reader.mark.query()) continue;
    reader.stream = stream;
    reader.since_write = false;
    return reader;
  }
  readers_.push_back({stream, Event(without_timing), false});
  return readers_.back();
}

void StreamMarks::begin_write(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  if (!write_) write_.emplace(without_timing);
  if (writer_ != id) precede(stream, *write_);
  for (const Reader& reader : readers_)
    if (reader.since_write && reader.stream != id) precede(stream, reader.mark);
}

void StreamMarks::end_write(CUstream stream) {
  write_->record(stream);
  writer_ = id_of(stream);
  for (Reader& reader : readers_) reader.since_write = false;
}

StreamMarks::Reader& StreamMarks::begin_read(CUstream stream) {
  const std::uint64_t id = id_of(stream);
  Reader& reader = reader_of(id);
  if (write_ && writer_ != id && !reader.since_write) precede(stream, *write_);
  return reader;
}

void StreamMarks::end_read(Reader& reader, CUstream stream) {
  reader.mark.record(stream);
  reader.since_write = true;
}

bool StreamMarks::is_written() const { return !write_ || write_->query(); }

void StreamMarks::wait() const noexcept {
  if (write_) wait_for(*write_);
  for (const Reader& reader : readers_) wait_for(reader.mark);
}

namespace {

[[noreturn]] void refuse_texref(const std::string& kernel, std::size_t index, const std::string& name,
                                const std::string& what, const std::string& expected) {
  throw ArgumentError("kernel " + kernel + ": texrefs[" + std::to_string(index) + "], \"" + name + "\", " + what,
                      kernel, ArgumentError::no_index, expected, name);
}

}  // namespace

ReferenceHook::ReferenceHook(std::shared_ptr<ReferenceTable> table, std::shared_ptr<DeviceImages> images)
    : table_(std::move(table)), images_(std::move(images)) {}

ReferenceHook::~ReferenceHook() {
  const RelaxedCapture relaxed;
  for (const auto& place : places_) release_in(place->context, [&](const DriverExtras&) { place->marks.wait(); });
  places_.clear();
}

void ReferenceHook::prepare() {
  const CUcontext context = require_context();
  const std::lock_guard lock(table_->mutex);
  locate(place_of(context, current_device()));
}

void ReferenceHook::launch(const HookedLaunch& launch, const std::function<void()>& submit) {
  const LaunchConfig& config = launch.config;
  const CUcontext context = stream_context(config.stream);
  const ContextGuard guard(context);
  const std::lock_guard lock(table_->mutex);
  Place& place = place_of(context, current_device());
  check_texrefs(launch.kernel.display_name(), config, place.device);
  locate(place);
  if (capture_status(config.stream) == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    bind_captured(place, config.stream);
    return submit();
  }
  bind(place, config.stream);
  auto& reader = place.marks.begin_read(config.stream);
  submit();
  StreamMarks::end_read(reader, config.stream);
  if (!place.replaced.empty()) destroy_replaced(place);
}

void ReferenceHook::destroy_replaced(Place& place) {
  const RelaxedCapture relaxed;
  if (place.marks.is_written()) place.replaced.clear();
}

ReferenceHook::Place& ReferenceHook::place_of(CUcontext context, int device) {
  for (const auto& place : places_)
    if (place->context == context) return *place;
  auto place = std::make_unique<Place>();
  place->context = context;
  place->device = device;
  places_.push_back(std::move(place));
  return *places_.back();
}

void ReferenceHook::check_texrefs(const std::string& kernel, const LaunchConfig& config, int device) const {
  for (std::size_t i = 0; i < config.texrefs.size(); ++i) {
    const TextureReference& texref = config.texrefs[i];
    const auto& references = table_->references;
    const auto found = std::find_if(references.begin(), references.end(),
                                    [&](const auto& reference) { return reference.get() == texref.shared().get(); });
    if (found == references.end())
      refuse_texref(kernel, i, texref.name(), "is of another module: get it from the kernel's own by get_texref",
                    "a texture reference of the kernel's module");
    if (!(*found)->is_bound(device))
      refuse_texref(kernel, i, texref.name(),
                    "is bound to nothing on device " + std::to_string(device) + ": call set_array or set_address first",
                    "a texture reference that is bound");
  }
}

/// Finds the variables of references that were requested since the last launch.
void ReferenceHook::locate(Place& place) {
  while (place.sites.size() < table_->references.size()) {
    Site site;
    site.reference = table_->references[place.sites.size()];
    if (const auto variable = images_->image(place.device).find_global(site.reference->symbol()))
      site.address = variable->pointer;
    place.sites.push_back(std::move(site));
  }
}

/// Makes the object of a binding that changed.
void ReferenceHook::renew(Site& site, Place& place) {
  if (site.address == 0 || site.version == site.reference->version()) return;
  const RelaxedCapture relaxed;
  BoundObject object = site.reference->make(place.device);
  if (site.object.handle != 0) place.replaced.push_back(std::move(site.object));
  site.object = std::move(object);
  site.version = site.reference->version();
}

void ReferenceHook::store(Site& site, CUstream stream) {
  // A fill keeps its value in the command: nothing of the host's is read later, also in a graph.
  const DriverExtras& driver = DriverExtras::get();
  const auto low = static_cast<unsigned>(site.object.handle), high = static_cast<unsigned>(site.object.handle >> 32);
  site.is_stored_known = false;
  CUresult result = driver.memset_d32_async(site.address, low, 1, stream);
  if (result == CUDA_SUCCESS) result = driver.memset_d32_async(site.address + 4, high, 1, stream);
  // No text is made where all is well: after a captured launch each launch comes here.
  if (result != CUDA_SUCCESS)
    check_work(result, "cuMemsetD32Async", " for the reference \"" + site.reference->name() + "\"");
  site.stored = site.object.handle;
  site.is_stored_known = true;
}

void ReferenceHook::bind(Place& place, CUstream stream) {
  const auto is_right = [&](const Site& site) {
    return site.address == 0 || (site.is_stored_known && site.stored == site.object.handle && !place.was_captured);
  };
  for (Site& site : place.sites) renew(site, place);
  if (std::all_of(place.sites.begin(), place.sites.end(), is_right)) return;
  try {
    place.marks.begin_write(stream);
    for (Site& site : place.sites)
      if (!is_right(site)) store(site, stream);
    place.marks.end_write(stream);
  } catch (...) {
    // Of an order that was not marked nothing is known.
    for (Site& site : place.sites) site.is_stored_known = false;
    throw;
  }
}

/// The graph may be launched at any later time: it writes all, nothing of it is destroyed, and after it no variable is
/// known to hold what was written before.
void ReferenceHook::bind_captured(Place& place, CUstream stream) {
  place.was_captured = true;
  for (Site& site : place.sites) {
    renew(site, place);
    if (site.address == 0 || site.object.handle == 0) continue;
    const auto is_same = [&](const BoundObject& kept) { return kept.handle == site.object.handle; };
    if (std::none_of(place.captured.begin(), place.captured.end(), is_same)) place.captured.push_back(site.object);
    store(site, stream);
  }
}

}  // namespace kiln
