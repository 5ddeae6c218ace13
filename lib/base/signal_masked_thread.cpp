#include "base/signal_masked_thread.hpp"

#include "base/default_float_environment.hpp"

#include <kiln/error.hpp>

#include <signal.h>

#include <string>
#include <system_error>
#include <utility>

namespace kiln {

std::thread start_signal_masked_thread(std::function<void()> work) {
  sigset_t all;
  sigset_t former;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &former);  // which the thread inherits
  std::thread thread;
  std::string reason;
  try {
    thread = std::thread([work = std::move(work)] {
      const DefaultFloatEnvironment environment;
      work();
    });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  }
  ::pthread_sigmask(SIG_SETMASK, &former, nullptr);
  if (!thread.joinable()) throw Error("cannot start a thread (" + reason + "): too many threads, or too little memory");
  return thread;
}

}  // namespace kiln
