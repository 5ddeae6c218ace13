#include "emulator/memory/shared_checks.hpp"

namespace kiln::emulator {

struct SharedChecks::Contents {};

SharedChecks::SharedChecks(Block&, bool, bool) {}
SharedChecks::~SharedChecks() = default;
std::unique_ptr<SharedChecks> SharedChecks::made(Block&) { return nullptr; }
void SharedChecks::access(Warp&, const Step&, unsigned, ptx::Space, std::uint64_t, unsigned, Access) {}
void SharedChecks::order(const Warp&, LaneMask) {}
void SharedChecks::order_all() {}

void tell_checks(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned size,
                 Access access) {
  warp.block().checks()->access(warp, step, lane, space, address, size, access);
}

}  // namespace kiln::emulator
