#include "emulator/machine/block.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/machine/barriers.hpp"
#include "emulator/machine/cluster.hpp"
#include "emulator/machine/divergence_check.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/machine/memory_checks.hpp"
#include "emulator/memory/windows.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// Steps that a warp runs before the next warp runs: about 50 us.
constexpr std::uint64_t slice = 4096;

}  // namespace

Block::Block(LaunchState& launch, Dim3 index)
    : launch_(launch), index_(index), barriers_(std::make_unique<Barriers>(*this)) {
  const Kernel& kernel = *request().kernel;
  dynamic_shared_offset_ = static_cast<std::uint32_t>(aligned(kernel.static_shared, kernel.shared_alignment));
  const std::uint32_t dynamic = request().shared_bytes;
  shared_.resize(dynamic == 0 ? kernel.static_shared : std::size_t{dynamic_shared_offset_} + dynamic);
  if (kernel.uses_reserved_shared) {
    reserved_shared_offset_ = static_cast<std::uint32_t>(aligned(shared_.size(), 128));
    shared_.resize(std::size_t{reserved_shared_offset_} + reserved_shared_size);
  }
  if (launch.profile) profile_ = launch.profile->of_block(*this);
  const std::uint64_t threads = request().block.count();
  for (std::uint32_t i = 0; i < (threads + warp_size - 1) / warp_size; ++i)
    warps_.push_back(std::make_unique<Warp>(*this, i));
  running_ = warps_.front().get();
  make_checks();
}

Block::~Block() = default;

void Block::make_checks() {
  checks_ = MemoryChecks::make_if_enabled(*this);
  divergence_ = DivergenceCheck::make_if_enabled();
  watches_accesses_ = checks_ != nullptr || profile_ != nullptr;
  watches_barriers_ = divergence_ != nullptr || profile_ != nullptr;
}

void Block::restart(Dim3 index) {
  index_ = index;
  has_exited_ = false;
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  barriers_->restart();
  group_steps_.clear();
  make_checks();
  if (profile_) profile_->restart(*this);
  for (const auto& warp : warps_) warp->restart();
}

Dim3 Block::thread(const Warp& warp, unsigned lane) const {
  const Dim3& size = request().block;
  std::uint32_t number = warp.thread_number(lane);
  if (size.y == 1 && size.z == 1) return {number, 0, 0};
  Dim3 place;
  place.x = number % size.x;
  number /= size.x;
  place.y = number % size.y;
  place.z = number / size.y;
  return place;
}

bool Block::run_slice() {
  bool lives = false;
  for (const auto& warp : warps_) {
    running_ = warp.get();
    if (warp->status() == Warp::Status::ready) warp->run(slice);
    lives = lives || warp->live() != 0;
  }
  return lives;
}

void Block::count_steps(ExecutedSteps& counts) {
  executed_steps_ = &counts;
  for (const auto& warp : warps_) warp->observe();
}

bool Block::stuck() const {
  return std::none_of(warps_.begin(), warps_.end(),
                      [](const auto& warp) { return warp->status() == Warp::Status::ready; });
}

void Block::arrive(Warp& warp, LaneMask active, std::uint32_t number, std::uint32_t threads, bool wait) {
  barriers_->arrive(warp, active, {number, threads, wait}, {});
}

void Block::wait(Warp& warp, LaneMask active, std::uint32_t number) { barriers_->wait(warp, active, number); }

void Block::arrive_reduce(Warp& warp, LaneMask active, std::uint32_t number, std::uint32_t threads, Reduction op,
                          LaneMask predicate, Slot destination) {
  barriers_->arrive(warp, active, {number, threads, true}, Barriers::Reduced{op, predicate, destination});
}

void Block::count_group_step(const Warp& warp) {
  if (group_steps_.empty()) group_steps_.assign(warps_.size(), 0);
  const std::uint32_t own = ++group_steps_[warp.index()];
  const std::size_t first = warp.index() / group_warps * group_warps;
  for (std::size_t i = first; i < first + group_warps; ++i) {
    const bool exists = i < warps_.size();
    if (exists && (warps_[i]->live() == all_lanes || group_steps_[i] >= own)) continue;
    throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, 0,
                "comes to wgmma.mma_async, but of its warp group, warps " + std::to_string(first) + " to " +
                    std::to_string(first + group_warps - 1) + ", warp " + std::to_string(i) +
                    (exists ? " has not all 32 threads" : " is not in the block"));
  }
}

void Block::check_group_of(const Warp& warp) const {
  const std::size_t first = warp.index() / group_warps * group_warps;
  const std::size_t end = std::min<std::size_t>(first + group_warps, warps_.size());
  for (std::size_t i = first; i < end; ++i)
    if (warps_[i]->live() != 0) return;
  const std::uint32_t own = group_steps_[warp.index()];
  for (std::size_t i = first; i < end; ++i)
    if (group_steps_[i] != own)
      throw Fault(CUDA_ERROR_ILLEGAL_INSTRUCTION, 0,
                  "ends, and its warp came to " + std::to_string(own) + " wgmma.mma_async, but warp " +
                      std::to_string(i) + " of the same warp group to " + std::to_string(group_steps_[i]) +
                      ": all four warps must come to each");
}

void Block::threads_left() {
  if (!group_steps_.empty()) check_group_of(*running_);
  if (divergence_) divergence_->ended(*running_);
  barriers_->threads_left();
  if (cluster_ == nullptr) return;
  has_exited_ = std::all_of(warps_.begin(), warps_.end(), [](const auto& warp) { return warp->live() == 0; });
  cluster_->complete_barrier_if_all_arrived();
}

void Block::join(Cluster& cluster, std::uint32_t rank) {
  cluster_ = &cluster;
  cluster_rank_ = rank;
}

Block* Block::peer(std::uint32_t rank) {
  if (rank == cluster_rank_) return this;
  if (cluster_ == nullptr || rank >= cluster_->blocks().size()) return nullptr;
  Block* const block = cluster_->blocks()[rank].get();
  return block->has_exited() ? nullptr : block;
}

std::byte* Block::peer_shared(std::uint64_t address, unsigned size) {
  Block* const owner = peer(rank_named(address));
  const std::uint64_t offset = address & shared_offset_mask;
  if (owner == nullptr || offset >= owner->shared_size() || size > owner->shared_size() - offset) return nullptr;
  return owner->shared() + offset;
}

bool Block::is_of_peer(std::uint64_t host_address) const {
  const auto owns = [=](const auto& block) {
    return host_address - reinterpret_cast<std::uint64_t>(block->shared_.data()) < block->shared_size();
  };
  return cluster_ != nullptr && std::any_of(cluster_->blocks().begin(), cluster_->blocks().end(), owns);
}

bool Block::has_arrived_at_cluster_barrier() const { return barriers_->all_arrived_at_cluster(); }
void Block::complete_cluster_barrier() { barriers_->complete_cluster(); }

}  // namespace kiln::emulator
