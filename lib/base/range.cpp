#include "base/range.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"

#if KILN_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

#include <exception>
#include <optional>
#include <string>

namespace kiln {

const RangeSink unasked_range_sink = {};

namespace {

enum class RangeChoice { off, on, launches };

RangeChoice range_choice() {
  const std::optional<std::string> text = environment("KILN_NVTX");
  if (!text || *text == "on") return RangeChoice::on;
  if (*text == "off") return RangeChoice::off;
  if (*text == "launches") return RangeChoice::launches;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log_message(LogLevel::warn, "KILN_NVTX=\"" + *text + "\" is none of off, on, launches; on is used");
  return RangeChoice::on;
}

std::string range_text(const char* kind, std::string_view name) {
  std::string text = kind;
  if (!name.empty()) text.append(": ").append(name);
  return text;
}

#if KILN_HAS_NVTX

std::atomic<nvtxDomainHandle_t> nvtx_domain{nullptr};

nvtxEventAttributes_t attributes_of(const char* text) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = text;
  return attributes;
}

void push_nvtx(const char* text) {
  const nvtxEventAttributes_t attributes = attributes_of(text);
  nvtxDomainRangePushEx(nvtx_domain.load(std::memory_order_acquire), &attributes);
}

void pop_nvtx() { nvtxDomainRangePop(nvtx_domain.load(std::memory_order_acquire)); }

void mark_nvtx(const char* text) {
  const nvtxEventAttributes_t attributes = attributes_of(text);
  nvtxDomainMarkEx(nvtx_domain.load(std::memory_order_acquire), &attributes);
}

constexpr RangeSink nvtx_sink = {push_nvtx, pop_nvtx, mark_nvtx};

/// NVTX gives no domain where no tool listens.
const RangeSink* open_nvtx() {
  nvtxDomainHandle_t made = nvtxDomainCreateA("kiln");
  if (made == nullptr) return nullptr;
  nvtxDomainHandle_t none = nullptr;
  if (!nvtx_domain.compare_exchange_strong(none, made)) nvtxDomainDestroy(made);  // another thread was first
  return &nvtx_sink;
}

#else

const RangeSink* open_nvtx() { return nullptr; }

#endif

}  // namespace

const RangeSink* ask_for_range_sink() noexcept try {
  const RangeSink* const sink = privileged_process() || range_choice() == RangeChoice::off ? nullptr : open_nvtx();
  set_range_sink(sink);
  return sink;
} catch (const std::exception&) {  // no memory
  return nullptr;
}

bool launches_have_ranges() noexcept try {
  return range_choice() == RangeChoice::launches && range_sink() != nullptr;
} catch (const std::exception&) {
  return false;
}

void Range::begin(const char* kind, std::string_view name) noexcept try {
  sink_->push(range_text(kind, name).c_str());
} catch (const std::exception&) {
  sink_ = nullptr;
}

void mark_in_range(const char* kind, std::string_view name) noexcept try {
  if (const RangeSink* const sink = range_sink()) sink->mark(range_text(kind, name).c_str());
} catch (const std::exception&) {
}

}  // namespace kiln
