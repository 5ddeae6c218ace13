#include "emulator/provider/context/primary.hpp"

#include <map>
#include <mutex>

namespace kiln::emulator {
namespace {

struct Users {
  std::mutex mutex;
  std::map<int, unsigned> by_device;
};
Users& users() {
  static Users& all = *new Users;
  return all;
}

}  // namespace

Context& retain_primary(int device) {
  Context& context = primary_context(device);
  const std::lock_guard lock(users().mutex);
  if (users().by_device[device]++ == 0) context.revive();
  return context;
}

bool release_primary(int device) {
  const std::lock_guard lock(users().mutex);
  unsigned& count = users().by_device[device];
  if (count == 0) return false;
  if (--count == 0) primary_context(device).destroy();
  return true;
}

void reset_primary(int device) {
  const std::lock_guard lock(users().mutex);
  primary_context(device).clear();
  primary_context(device).revive();
}

bool primary_is_active(int device) {
  const std::lock_guard lock(users().mutex);
  return users().by_device[device] != 0;
}

}  // namespace kiln::emulator
