// The forms of textures and surfaces.
#include "emulator/instructions/grammar/forms_of.hpp"

namespace kiln::emulator {
namespace {

constexpr InstructionForm texture_table[] = {
    {"tex", "$tex v4 u32|s32|f32 s32|f32", ">0v|p T1 O? O?"},
    {"tex", "$tex v2 f16x2 s32|f32", ">0v|p T1 O? O?"},
    {"tex", "$tex v4 f16 s32|f32", ">0v|p T1 O? O?"},
    {"tex.base", "$tex v4 u32|s32|f32 s32|f32", ">0v|p T1 O? O?"},
    {"tex.base", "$tex v2 f16x2 s32|f32", ">0v|p T1 O? O?"},
    {"tex.base", "$tex v4 f16 s32|f32", ">0v|p T1 O? O?"},
    {"tex.level", "$tex v4 u32|s32|f32 s32|f32", ">0v|p T1 1 O? O?"},
    {"tex.level", "$tex v2 f16x2 s32|f32", ">0v|p T1 1 O? O?"},
    {"tex.level", "$tex v4 f16 s32|f32", ">0v|p T1 1 O? O?"},
    {"tex.grad", "$tex v4 u32|s32|f32 s32|f32", ">0v|p T1 {} {} O? O?"},
    {"tex.grad", "$tex v2 f16x2 s32|f32", ">0v|p T1 {} {} O? O?"},
    {"tex.grad", "$tex v4 f16 s32|f32", ">0v|p T1 {} {} O? O?"},
    {"tld4", "r|g|b|a 2d|a2d|cube|acube v4 u32|s32|f32 f32", ">0v|p T1 O? O?"},
    {"tld4", "r|g|b|a 2d|a2d|cube|acube v4 f32 f32", ">{u32*4}|p T1 O? O?"},
    {"txq",
     "width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples|"
     "force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32",
     ">0 Q"},
    {"txq.level", "width|height|depth b32", ">0 Q u32~"},
    {"suq", "width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32", ">0 Q"},
    {"istypep", "texref|samplerref|surfref", ">p R"},
    {"suld.b", "$surf ca|cg|cs|cv? v2|v4? b8|b16|b32 $clamp", ">0wv T"},
    {"suld.b", "$surf ca|cg|cs|cv? v2? b64 $clamp", ">0wv T"},
    {"suld.b", "$surf ca|cg|cs|cv? b8|b16|b32|b64 $clamp", ">{0w*1}~ T"},
    {"sust.b", "$surf $stcop? v2|v4? b8|b16|b32 $clamp", "T 0wv"},
    {"sust.b", "$surf $stcop? v2? b64 $clamp", "T 0wv"},
    {"sust.b", "$surf $stcop? b8|b16|b32|b64 $clamp", "T {0w*1}~"},
    {"sust.p", "$surf v2|v4? b32 $clamp", "T 0wv"},
    {"sust.p", "$surf b32 $clamp", "T {0w*1}~"},
    {"sured.b", "1d|2d|3d add u32|s32|u64 $clamp", "T 0w"},
    {"sured.b", "1d|2d|3d min|max u32|s32|u64|s64 $clamp", "T 0w"},
    {"sured.b", "1d|2d|3d and|or b32 $clamp", "T 0w"},
    {"sured.p", "1d|2d|3d add|min|max|and|or b32 $clamp", "T 0w"},
    {"sured.p", "1d|2d|3d min|max b64 $clamp", "T 0w"},
};

}  // namespace

std::span<const InstructionForm> texture_forms() { return texture_table; }

}  // namespace kiln::emulator
