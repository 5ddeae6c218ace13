// txq, suq and istypep.
#include "emulator/instructions/texture/texture_lookup.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/texture/objects.hpp"

#include <algorithm>
#include <memory>

namespace kiln::emulator {
namespace {

using ptx::Type;

// The numbers of OpenCL, as in the PTX manual.
std::uint32_t channel_data_type(Element element) {
  const std::uint32_t by_size = element.channel_bytes == 1 ? 0 : element.channel_bytes == 2 ? 1 : 2;
  switch (element.kind) {
    case ChannelKind::snorm:
      return 0x10D0 + by_size;
    case ChannelKind::unorm:
      return 0x10D2 + by_size;
    case ChannelKind::signed_int:
      return 0x10D7 + by_size;
    case ChannelKind::unsigned_int:
      return 0x10DA + by_size;
    case ChannelKind::floating:
      return element.channel_bytes == 2 ? 0x10DD : 0x10DE;
  }
  return 0;
}

std::uint32_t channel_order(Element element) {
  return element.channels == 1 ? 0x10B0 : element.channels == 2 ? 0x10B2 : 0x10B5;  // R, RG, RGBA
}

std::uint32_t address_mode(const Texture& texture, unsigned axis) {
  switch (texture.address_mode[axis]) {
    case CU_TR_ADDRESS_MODE_WRAP:
      return 0;
    case CU_TR_ADDRESS_MODE_MIRROR:
      return 1;
    case CU_TR_ADDRESS_MODE_BORDER:
      return 4;
    default:
      return 3;  // clamp to edge
  }
}

bool is_volume(const Texture& texture) { return !texture.layered && !texture.cubemap; }

/// The result of a query on an object; `level` is 0 except for txq.level.
template <class Object>
using Query = std::uint32_t (*)(const Object&, std::size_t level);
template <class Object>
struct QueryRow {
  std::string_view name;
  Query<Object> answer;
};

constexpr QueryRow<Texture> texture_queries[] = {
    {"width", [](const Texture& t, std::size_t level) { return t.levels[level].width; }},
    {"height", [](const Texture& t, std::size_t level) { return t.levels[level].height; }},
    {"depth", [](const Texture& t, std::size_t level) { return is_volume(t) ? t.levels[level].depth : 1; }},
    {"channel_data_type", [](const Texture& t, std::size_t) { return channel_data_type(t.element); }},
    {"channel_order", [](const Texture& t, std::size_t) { return channel_order(t.element); }},
    {"normalized_coords", [](const Texture& t, std::size_t) -> std::uint32_t { return t.normalized ? 1 : 0; }},
    {"force_unnormalized_coords", [](const Texture& t, std::size_t) -> std::uint32_t { return t.normalized ? 0 : 1; }},
    {"array_size", [](const Texture& t, std::size_t) -> std::uint32_t { return t.layers() / (t.cubemap ? 6 : 1); }},
    {"num_mipmap_levels", [](const Texture& t, std::size_t) { return static_cast<std::uint32_t>(t.levels.size()); }},
    {"num_samples", [](const Texture&, std::size_t) -> std::uint32_t { return 1; }},
    {"filter_mode", [](const Texture& t, std::size_t) -> std::uint32_t { return t.linear ? 1 : 0; }},
    {"addr_mode_0", [](const Texture& t, std::size_t) { return address_mode(t, 0); }},
    {"addr_mode_1", [](const Texture& t, std::size_t) { return address_mode(t, 1); }},
    {"addr_mode_2", [](const Texture& t, std::size_t) { return address_mode(t, 2); }},
};

bool is_layered(const Surface& surface) {
  return surface.array->has(CUDA_ARRAY3D_LAYERED) || surface.array->has(CUDA_ARRAY3D_CUBEMAP);
}

constexpr QueryRow<Surface> surface_queries[] = {
    {"width", [](const Surface& s, std::size_t) { return s.array->texels().width; }},
    {"height", [](const Surface& s, std::size_t) { return s.array->texels().height; }},
    {"depth", [](const Surface& s, std::size_t) { return is_layered(s) ? 1 : s.array->texels().depth; }},
    {"channel_data_type", [](const Surface& s, std::size_t) { return channel_data_type(s.array->texels().element); }},
    {"channel_order", [](const Surface& s, std::size_t) { return channel_order(s.array->texels().element); }},
    {"array_size", [](const Surface& s, std::size_t) { return is_layered(s) ? s.array->texels().depth : 1; }},
    {"memory_layout",
     [](const Surface&, std::size_t) -> std::uint32_t { return 0; }},  // not the layout of linear memory
};

/// The parameters of a step.
template <class Object>
struct QueryPlan {
  Query<Object> answer = nullptr;
  bool has_level = false;
  Slot handle, level, result;
};

std::size_t last_level(const Texture& texture) { return texture.levels.size() - 1; }
std::size_t last_level(const Surface&) { return 0; }

template <class Object>
void query(const Step& step, Warp& warp, LaneMask active) {
  const auto& plan = *static_cast<const QueryPlan<Object>*>(step.data);
  ObjectsOfLanes<Object> objects;
  const std::uint64_t* const handles = warp.in<std::uint64_t>(plan.handle);
  std::uint32_t* const result = warp.out<std::uint32_t>(plan.result);
  each_lane(active, [&](unsigned lane) {
    const Object& object = objects.at(handles[lane], lane);
    const std::size_t level = plan.has_level ? warp.in<std::uint32_t>(plan.level)[lane] : 0;
    result[lane] = plan.answer(object, std::min(level, last_level(object)));
  });
}

template <class Object, std::size_t count>
void lower_query(const ptx::Instruction& instruction, const QueryRow<Object> (&rows)[count], Lowering& lowering) {
  const auto plan = std::make_shared<QueryPlan<Object>>();
  for (const QueryRow<Object>& row : rows)
    if (instruction.has(row.name)) plan->answer = row.answer;
  plan->has_level = instruction.has("level");
  if (plan->answer == nullptr || instruction.operands.size() != (plan->has_level ? 3u : 2u))
    lowering.refuse("Unknown query of instruction '" + std::string(instruction.opcode) + "'");
  plan->result = lowering.out(instruction.operands[0], Type::b32);
  plan->handle = handle_slot(instruction.operands[1], lowering);
  if (plan->has_level) plan->level = lowering.in(instruction.operands[2], Type::u32);
  lowering.emit(query<Object>).data = lowering.keep_data(plan);
}

/// Whether find(handle) finds an object; operand 0 is the predicate, operand 1 the handle.
template <auto find>
void is_one(const Step& step, Warp& warp, LaneMask active) {
  const std::uint64_t* const handles = warp.in<std::uint64_t>(step.operand[1]);
  warp.set_mask(step.operand[0], active,
                lanes_where(active, [&](unsigned lane) { return find(handles[lane]) != nullptr; }));
}

// Samplers are never separate from textures.
void is_sampler(const Step& step, Warp& warp, LaneMask active) { warp.set_mask(step.operand[0], active, 0); }

}  // namespace

void lower_query(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.opcode == "txq") return lower_query(instruction, texture_queries, lowering);
  lower_query(instruction, surface_queries, lowering);
}

void lower_istypep(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.operands.size() != 2) lowering.refuse("Arguments mismatch for instruction 'istypep'");
  const Slot result = lowering.out(instruction.operands[0], Type::pred);
  const Slot handle = handle_slot(instruction.operands[1], lowering);
  const Handler handler = instruction.has("texref")    ? is_one<find_texture>
                          : instruction.has("surfref") ? is_one<find_surface>
                                                       : is_sampler;
  Step& step = lowering.emit(handler);
  step.operand[0] = result;
  step.operand[1] = handle;
}

}  // namespace kiln::emulator
