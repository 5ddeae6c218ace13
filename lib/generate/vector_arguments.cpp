#include "generate/vector_arguments.hpp"

#include <kiln/detail/element_count.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <bit>

namespace kiln {

namespace {

constexpr std::size_t word = 16;  // bytes that a thread reads at once

CUdeviceptr address_of(const detail::VectorCall& call, std::size_t k) {
  return *static_cast<const CUdeviceptr*>(call.pointers[k]);
}

}  // namespace

void VectorArguments::check_count(std::size_t given) const {
  if (given == parameters.size()) return;
  const std::string wanted = std::to_string(parameters.size()) + " (" + parameters_text(parameters) + ")";
  throw ArgumentError("kernel " + kernel + ": expected arguments: " + wanted + ", given " + std::to_string(given),
                      kernel, ArgumentError::no_index, wanted, std::to_string(given));
}

/// Bytes are passed for anything, but how many elements they are is not known here.
std::size_t VectorArguments::count_of(const detail::VectorCall& call, std::size_t k) const {
  const bool is_bytes = call.types->arguments[k].pointee.kind == detail::Pointee::Kind::untyped;
  return is_bytes && !parameters[k].is_of_bytes ? detail::unknown_count : call.counts[k];
}

void VectorArguments::refuse_lengths(const detail::VectorCall& call, std::size_t one, std::size_t other) const {
  const std::string length = std::to_string(call.counts[one]) + " elements";
  const std::string expected = std::to_string(call.counts[other]) + " elements";
  const std::string& name = parameters[other].name;
  throw ArgumentError("kernel " + kernel + ": " + parameters[one].name + " has " + length + ", and " + name + " has " +
                          expected + ": vectors that are used at [i] alone must have the same length",
                      kernel, one, expected + ", as " + name + " has", length);
}

std::size_t VectorArguments::known_length(const detail::VectorCall& call) const {
  std::size_t first = call.count, any = call.count;
  for (std::size_t k = 0; k < call.count; ++k) {
    if (!parameters[k].is_vector || count_of(call, k) == detail::unknown_count) continue;
    if (any == call.count) any = k;
    if (!uses[k].only_at_i) continue;
    if (first == call.count)
      first = k;
    else if (call.counts[k] != call.counts[first])
      refuse_lengths(call, k, first);
  }
  const std::size_t length_of = first != call.count ? first : any;
  return length_of != call.count ? call.counts[length_of] : detail::unknown_count;
}

std::size_t VectorArguments::length(const detail::VectorCall& call) const {
  const std::size_t known = known_length(call);
  if (known != detail::unknown_count) return known;
  throw ArgumentError("kernel " + kernel +
                          ": no vector knows its length: pass a kiln::DeviceBuffer or what else has size(); an "
                          "ElementwiseKernel can be told which elements by ElementwiseConfig::range",
                      kernel, ArgumentError::no_index, "a vector that knows its length", "pointers alone");
}

void VectorArguments::check_range(const detail::VectorCall& call, const IndexRange& range) const {
  for (std::size_t k = 0; k < call.count; ++k) {
    const std::size_t count = count_of(call, k);
    if (!uses[k].only_at_i || count == detail::unknown_count || range.is_within(count)) continue;
    const std::string wanted =
        "indices of " + parameters[k].name + ", which has " + std::to_string(count) + " elements";
    throw ArgumentError("kernel " + kernel + ": the range " + range.text() + " has other than " + wanted, kernel, k,
                        wanted, range.text());
  }
}

/// A host argument has no memory yet, and will have some of its own.
bool VectorArguments::is_host(const detail::VectorCall& call, std::size_t k) {
  return std::any_of(call.slots.slots, call.slots.slots + call.slots.count,
                     [&](const detail::HostSlot* slot) { return slot == call.pointers[k]; });
}

bool VectorArguments::is_staged() const {
  return std::any_of(uses.begin(), uses.end(), [](const ElementUse& use) { return use.can_be_staged; });
}

bool VectorArguments::may_overlap(const detail::VectorCall& call, std::size_t k, std::size_t m, std::size_t n,
                                  bool is_in_place_fit) const {
  const std::size_t lower = address_of(call, k) < address_of(call, m) ? k : m, upper = lower == k ? m : k;
  const CUdeviceptr distance = address_of(call, upper) - address_of(call, lower);
  if (distance == 0) return !(is_in_place_fit && uses[k].only_at_i && uses[m].only_at_i);
  const std::size_t count = uses[lower].only_at_i ? n : count_of(call, lower);
  const detail::Pointee& pointee = call.types->arguments[lower].pointee;
  const bool is_known = count != detail::unknown_count && pointee.size != 0 &&
                        (pointee.kind != detail::Pointee::Kind::untyped || parameters[lower].is_of_bytes);
  return !is_known || distance / pointee.size < count;
}

bool VectorArguments::can_be_staged(const detail::VectorCall& call, std::size_t n, bool is_in_place_fit) const {
  for (std::size_t k = 0; k < call.count; ++k) {
    if (!parameters[k].is_vector) continue;
    const CUdeviceptr address = address_of(call, k);
    // A null pointer may be right where the operation does not touch it.
    if (uses[k].can_be_staged && (address % word != 0 || (address == 0 && !is_host(call, k)))) return false;
    for (std::size_t m = 0; m < k; ++m) {
      if (!parameters[m].is_vector || (parameters[k].is_const && parameters[m].is_const)) continue;
      if (address == 0 || address_of(call, m) == 0) continue;
      if (may_overlap(call, k, m, n, is_in_place_fit)) return false;
    }
  }
  return true;
}

std::size_t VectorArguments::lane_count(const detail::VectorCall& call) const {
  std::size_t bits = word, largest = 1;
  for (std::size_t k = 0; k < call.count; ++k) {
    if (!uses[k].can_be_staged) continue;
    const std::size_t size = call.types->arguments[k].pointee.size;
    if (size == 0) return 1;
    bits |= size;
    largest = std::max(largest, size);
  }
  // So many of each vector are whole words, but none may take more than three.
  std::size_t lanes = word >> static_cast<unsigned>(std::countr_zero(bits));
  while (lanes > 1 && lanes * largest > 3 * word) lanes /= 2;
  return lanes;
}

}  // namespace kiln
