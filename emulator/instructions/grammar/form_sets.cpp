// Sets of modifiers that many forms have.
#include "emulator/instructions/grammar/forms_of.hpp"

namespace kiln::emulator {
namespace {

constexpr FormSet set_table[] = {
    {"$rnd", "rn|rz|rm|rp"},
    {"$rni", "rni|rzi|rmi|rpi"},
    {"$int", "u16|u32|u64|s16|s32|s64"},
    {"$int8", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"$word", "u32|s32|f32|f16"},
    {"$icmp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
    {"$scmp", "eq|ne|lt|le|gt|ge"},
    {"$fcmp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"$bool", "and|or|xor"},
    {"$vop", "add|min|max"},
    {"$other", "const|local|param|param::entry|shared|shared::cta|shared::cluster"},
    {"$shared", "shared|shared::cta|shared::cluster"},
    {"$own", "shared|shared::cta"},
    {"$cluster", "shared::cluster"},
    {"$policy", "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"},
    {"$ctaspace", "const|global|local|param|param::entry|shared|shared::cta|shared::cluster"},
    {"$scope", "cta|cluster|gpu|sys"},
    {"$sem", "relaxed|acquire|release|acq_rel"},
    {"$rsem", "relaxed|release"},
    {"$cop", "ca|cg|cs|lu|cv"},
    {"$stcop", "wb|cg|cs|wt"},
    {"$evict", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"$l2evict", "L2::evict_normal|L2::evict_first|L2::evict_last"},
    {"$pref", "L2::64B|L2::128B|L2::256B"},
    {"$dim", "1d|2d|3d|4d|5d"},
    {"$load", "tile|tile::gather4|im2col|im2col::w|im2col::w::128"},
    {"$store", "tile|tile::scatter4|im2col_no_offs"},
    {"$many", "multicast::cluster"},
    {"$cta", "cta_group::1|cta_group::2"},
    {"$mapfield",
     "global_address|rank|box_dim|global_dim|global_stride|element_stride|elemtype|interleave_layout|swizzle_mode|"
     "swizzle_atomicity|fill_mode"},
    {"$layout", "row|col"},
    {"$wshape", "m16n16k16|m32n8k16|m8n32k16"},
    {"$byte", "u8|s8"},
    {"$nibble", "u4|s4"},
    {"$fp8", "e4m3|e5m2"},
    {"$sparse", "sp|sp::ordered_metadata"},
    {"$wspace", "global|shared|shared::cta"},
    {"$tex", "1d|2d|3d|a1d|a2d|cube|acube|2dms|a2dms"},
    {"$surf", "1d|2d|3d|a1d|a2d"},
    {"$clamp", "trap|clamp|zero"},
    {"$tiny", "b8|b16|u8|u16|s8|s16"},
    {"$small", "b8|b16|b32|u8|u16|u32|s8|s16|s32|f32"},
    {"$mem", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
};

}  // namespace

std::span<const FormSet> form_sets() { return set_table; }

}  // namespace kiln::emulator
