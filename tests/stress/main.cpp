#include <doctest/doctest.h>

#include <kiln/log.hpp>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  ::umask(077);  // what these tests write into a cache folder is to look as Kiln's own
  for (const char* name : {"KILN_LOG", "KILN_CACHE_MAX_SIZE", "KILN_CACHE_READ_ONLY_DIRS", "KILN_DISABLE_CACHE",
                           "PYCUDA_DISABLE_CACHE", "KILN_CACHE_TRUSTED_OWNERS"})
    ::unsetenv(name);
  // In memory where that is to be had: these tests make and remove files by the ten thousand.
  if (::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  // Faults are what these tests are made of; those that count warnings set a handler of their own.
  kiln::set_log_handler([](kiln::LogLevel, const std::string&) {});
  return doctest::Context(argc, argv).run();
}
