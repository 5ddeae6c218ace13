#include "emulator/ptx/module.hpp"

#include <array>
#include <utility>

namespace kiln::emulator::ptx {

namespace {

// The most frequent ones first.
constexpr std::array<std::pair<std::string_view, Type>, 35> spellings = {{
    {"b32", Type::b32},         {"u32", Type::u32},
    {"s32", Type::s32},         {"f32", Type::f32},
    {"b64", Type::b64},         {"u64", Type::u64},
    {"s64", Type::s64},         {"f64", Type::f64},
    {"pred", Type::pred},       {"b8", Type::b8},
    {"u8", Type::u8},           {"s8", Type::s8},
    {"b16", Type::b16},         {"u16", Type::u16},
    {"s16", Type::s16},         {"f16", Type::f16},
    {"b128", Type::b128},       {"f16x2", Type::f16x2},
    {"bf16", Type::b16},        {"bf16x2", Type::b32},
    {"tf32", Type::b32},        {"u16x2", Type::b32},
    {"s16x2", Type::b32},       {"f32x2", Type::b64},
    {"e4m3", Type::b8},         {"e5m2", Type::b8},
    {"e4m3x2", Type::b16},      {"e5m2x2", Type::b16},
    {"e4m3x4", Type::b32},      {"e5m2x4", Type::b32},
    {"ue8m0x2", Type::b16},     {"e2m1x2", Type::b8},
    {"texref", Type::texref},   {"samplerref", Type::samplerref},
    {"surfref", Type::surfref},
}};

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::none:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
      return 2;
    case Type::pred:
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f32:
    case Type::f16x2:
      return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
    case Type::texref:
    case Type::samplerref:
    case Type::surfref:
      return 8;
    case Type::b128:
      return 16;
  }
  return 0;
}

bool is_integer(Type type) {
  switch (type) {
    case Type::u8:
    case Type::s8:
    case Type::u16:
    case Type::s16:
    case Type::u32:
    case Type::s32:
    case Type::u64:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

Type type_named(std::string_view spelling) {
  for (const auto& each : spellings)
    if (each.first == spelling) return each.second;
  return Type::none;
}

}  // namespace kiln::emulator::ptx
