// The forms of textures and surfaces.
#include "emulator/instructions/grammar/forms_of.hpp"

namespace kiln::emulator {
namespace {

constexpr InstructionForm texture_table[] = {
    {"tex", "$tex v4 u32|s32|f32 s32|f32", "* * *? *? *? *? *?"},
    {"tex", "$tex v2 f16x2 s32|f32", "* * *? *? *? *? *?"},
    {"tex", "$tex v4 f16 s32|f32", "* * *? *? *? *? *?"},
    {"tex.base", "$tex v4 u32|s32|f32 s32|f32", "* * *? *? *? *? *?"},
    {"tex.base", "$tex v2 f16x2 s32|f32", "* * *? *? *? *? *?"},
    {"tex.base", "$tex v4 f16 s32|f32", "* * *? *? *? *? *?"},
    {"tex.level", "$tex v4 u32|s32|f32 s32|f32", "* * *? *? *? *? *?"},
    {"tex.level", "$tex v2 f16x2 s32|f32", "* * *? *? *? *? *?"},
    {"tex.level", "$tex v4 f16 s32|f32", "* * *? *? *? *? *?"},
    {"tex.grad", "$tex v4 u32|s32|f32 s32|f32", "* * *? *? *? *? *?"},
    {"tex.grad", "$tex v2 f16x2 s32|f32", "* * *? *? *? *? *?"},
    {"tex.grad", "$tex v4 f16 s32|f32", "* * *? *? *? *? *?"},
    {"tld4.r", "2d|a2d|cube|acube v4 u32|s32|f32 f32", "* * *? *?"},
    {"tld4.g", "2d|a2d|cube|acube v4 u32|s32|f32 f32", "* * *? *?"},
    {"tld4.b", "2d|a2d|cube|acube v4 u32|s32|f32 f32", "* * *? *?"},
    {"tld4.a", "2d|a2d|cube|acube v4 u32|s32|f32 f32", "* * *? *?"},
    {"txq",
     "width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples|"
     "force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32",
     ">0 *"},
    {"txq.level",
     "width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples "
     "b32",
     ">0 * u32"},
    {"suq", "width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32", ">0 *"},
    {"istypep", "texref|samplerref|surfref", ">p *"},
    {"suld.b", "$surf $cop? v2|v4? b8|b16|b32|b64 $clamp", "* *"},
    {"sust.b", "$surf $stcop? v2|v4? b8|b16|b32|b64 $clamp", "* *"},
    {"sust.p", "$surf v2|v4? u32|s32|b32|f32 $clamp", "* *"},
    {"sured.b", "$surf add|min|max|and|or u32|u64|s32|s64|b32 $clamp", "* *"},
    {"sured.p", "$surf add|min|max|and|or b32|b64 $clamp", "* *"},
};

}  // namespace

std::span<const InstructionForm> texture_forms() { return texture_table; }

}  // namespace kiln::emulator
