#include "emulator/provider/context/physical_handles.hpp"

#include "emulator/core/call_error.hpp"

namespace kiln::emulator {
namespace {

constexpr char no_handle[] = "this is no handle of cuMemCreate, or it has been released";

}  // namespace

PhysicalHandles& PhysicalHandles::get() {
  static PhysicalHandles& all = *new PhysicalHandles;  // never destroyed, as all tables of handles
  return all;
}

CUmemGenericAllocationHandle PhysicalHandles::give(const PhysicalBlockPtr& block) {
  const std::lock_guard lock(mutex_);
  Given& given = given_[block->id];
  given.block = block;
  ++given.count;
  return block->id;
}

PhysicalBlockPtr PhysicalHandles::find(CUmemGenericAllocationHandle handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = given_.find(handle);
  require(found != given_.end(), no_handle);
  return found->second.block;
}

void PhysicalHandles::release(CUmemGenericAllocationHandle handle) {
  PhysicalBlockPtr last;  // goes without the lock
  const std::lock_guard lock(mutex_);
  const auto found = given_.find(handle);
  require(found != given_.end(), no_handle);
  if (--found->second.count != 0) return;
  last = std::move(found->second.block);
  given_.erase(found);
}

}  // namespace kiln::emulator
