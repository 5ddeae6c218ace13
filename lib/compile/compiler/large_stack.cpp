#include "compile/compiler/large_stack.hpp"

#include "base/default_float_environment.hpp"
#include "base/log.hpp"

#include <locale.h>
#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <exception>
#include <initializer_list>

namespace kiln {

namespace {

thread_local bool is_on_large_stack = false;

struct Job {
  const std::function<void()>* work;
  std::exception_ptr error;
};

void* run_job(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  is_on_large_stack = true;
  const DefaultFloatEnvironment environment;
  const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const locale_t former = ::uselocale(c_locale);
  try {
    (*job.work)();
  } catch (...) {
    job.error = std::current_exception();
  }
  if (c_locale != nullptr) {
    ::uselocale(former);
    ::freelocale(c_locale);
  }
  return nullptr;
}

bool start(pthread_t& thread, std::size_t stack_size, Job& job) {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  const bool started = ::pthread_attr_setstacksize(&attributes, stack_size) == 0 &&
                       ::pthread_create(&thread, &attributes, run_job, &job) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

void run_on_large_stack(const std::function<void()>& work) {
  if (is_on_large_stack) return work();
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  Job job{&work, nullptr};
  sigset_t all;
  sigset_t former;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_t thread;
  bool started = false;
  // Only touched pages cost memory; the smaller sizes are for processes with a limit on address space.
  for (const std::size_t size : {256 * mebibyte, 64 * mebibyte, 8 * mebibyte})
    if (!started) started = start(thread, size, job);
  ::pthread_sigmask(SIG_SETMASK, &former, nullptr);
  if (started) {
    ::pthread_join(thread, nullptr);
  } else {
    log_message(LogLevel::info, "no thread can be started to compile on: this one's stack has to suffice");
    run_job(&job);
    is_on_large_stack = false;
  }
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace kiln
