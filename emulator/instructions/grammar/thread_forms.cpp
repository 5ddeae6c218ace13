// The forms of control flow, barriers, and what the threads of a warp do together.
#include "emulator/instructions/grammar/forms_of.hpp"

namespace kiln::emulator {
namespace {

constexpr InstructionForm thread_table[] = {
    {"activemask", "b32", ">0"},
    {"bar.sync", "", "u32#0-15 u32#0|%32?"},
    {"bar.cta.sync", "", "u32#0-15 u32#0|%32?"},
    {"bar.arrive", "", "u32#0-15 u32#%32"},
    {"bar.cta.arrive", "", "u32#0-15 u32#%32"},
    {"bar.red", "popc u32", ">0 u32#0-15 p"},
    {"bar.red", "popc u32", ">0 u32#0-15 u32#0|%32 p"},
    {"bar.red", "and|or pred", ">0 u32#0-15 p"},
    {"bar.red", "and|or pred", ">0 u32#0-15 u32#0|%32 p"},
    {"bar.cta.red", "popc u32", ">0 u32#0-15 p"},
    {"bar.cta.red", "popc u32", ">0 u32#0-15 u32#0|%32 p"},
    {"bar.cta.red", "and|or pred", ">0 u32#0-15 p"},
    {"bar.cta.red", "and|or pred", ">0 u32#0-15 u32#0|%32 p"},
    {"bar.warp.sync", "", "u32"},
    {"barrier", "sync aligned?", "u32#0-15 u32#0|%32?"},
    {"barrier.cta", "sync aligned?", "u32#0-15 u32#0|%32?"},
    {"barrier.arrive", "aligned?", "u32#0-15 u32#%32"},
    {"barrier.cta.arrive", "aligned?", "u32#0-15 u32#%32"},
    {"barrier.red", "popc aligned? u32", ">0 u32#0-15 p"},
    {"barrier.red", "popc aligned? u32", ">0 u32#0-15 u32#0|%32 p"},
    {"barrier.red", "and|or aligned? pred", ">0 u32#0-15 p"},
    {"barrier.red", "and|or aligned? pred", ">0 u32#0-15 u32#0|%32 p"},
    {"barrier.cta.red", "popc aligned? u32", ">0 u32#0-15 p"},
    {"barrier.cta.red", "popc aligned? u32", ">0 u32#0-15 u32#0|%32 p"},
    {"barrier.cta.red", "and|or aligned? pred", ">0 u32#0-15 p"},
    {"barrier.cta.red", "and|or aligned? pred", ">0 u32#0-15 u32#0|%32 p"},
    {"barrier.cluster.arrive", "release|relaxed? aligned?", ""},
    {"barrier.cluster.wait", "acquire? aligned?", ""},
    {"bra", "uni?", "*"},
    {"brkpt", "", ""},
    {"brx.idx", "uni?", "u32"},
    {"call", "uni?", "* * *"},
    {"elect", "sync", ">u32|p u32"},
    {"exit", "", ""},
    {"griddepcontrol", "launch_dependents|wait", ""},
    {"match", "sync any b32|b64", ">u32~ 0 u32"},
    {"match", "sync all b32|b64", ">u32|p~ 0 u32"},
    {"nanosleep", "u32", "u32"},
    {"pmevent", "mask", "#0-65535"},
    {"pmevent", "", "#0-15"},
    {"redux", "sync add|min|max u32", ">u32 u32 u32"},
    {"redux", "sync add|min|max s32", ">s32 s32 u32"},
    {"redux", "sync and|or|xor b32", ">u32 u32 u32"},
    {"redux", "sync min|max abs? NaN? f32", ">0 0 u32"},
    {"ret", "uni?", ""},
    {"setmaxnreg", "inc|dec sync aligned u32", "#"},
    {"shfl", "sync up|down|bfly|idx b32", ">0|p 0 b32 b32 u32"},
    {"shfl", "up|down|bfly|idx b32", ">0|p 0 b32 b32"},
    {"trap", "", ""},
    {"vote", "sync all|any|uni pred", ">0 p u32"},
    {"vote", "sync ballot b32", ">0 p u32"},
    {"vote", "all|any|uni pred", ">p p"},
    {"vote", "ballot b32", ">0 p"},
};

}  // namespace

std::span<const InstructionForm> thread_forms() { return thread_table; }

}  // namespace kiln::emulator
