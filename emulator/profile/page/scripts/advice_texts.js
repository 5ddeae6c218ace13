// What the rules of the advice mean, for one who meets them for the first time.
const adviceTexts = {
  uncoalesced_global: "The hardware moves global memory in sectors of 32 bytes. When neighbouring threads access " +
      "addresses that are far apart, each thread needs a sector of its own and most of what is moved " +
      "goes unused. Let consecutive threads access consecutive elements.",
  misaligned_global:
      "The threads access consecutive elements, but the first of them does not begin a sector, so each " +
      "request touches one sector more than it needs. Start at a multiple of 32 bytes, for example by " +
      "padding rows.",
  shared_bank_conflicts:
      "Shared memory has 32 banks of 4 bytes. Lanes that want different words of one bank are served one " +
      "after another. Pad the rows of a tile by one element, or permute the indices.",
  divergent_branch:
      "Lanes of one warp went different ways. The warp runs both ways one after another, with only some " +
      "lanes at work. Let whole warps decide alike, or replace the branch by arithmetic.",
  atomic_conflicts:
      "Several lanes of a warp change one address at a time: they are done one after another. Sum within " +
      "the warp or the block first, then do one atomic for all.",
  constant_divergence:
      "A load of constant memory serves one address at a time. Lanes that ask for different addresses " +
      "wait for each other. Keep data that lanes index differently in global or shared memory.",
  local_memory: "The thread's own array lives in local memory, which is device memory: its index is not known when " +
      "compiling, or it is too large for registers. Let loops over it be unrolled, or make it smaller.",
  barrier_wait: "Warps wait at a barrier for one that has more to do. Divide the work more evenly among the warps.",
  partial_warps: "The block's size is not a multiple of 32, so its last warp has lanes without a thread. Choose a " +
      "multiple of 32.",
};
