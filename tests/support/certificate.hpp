// A certificate for servers of a test.
#pragma once

#include "run_program.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace kiln::test {

/// Of 127.0.0.1 alone, signed by itself: who trusts it takes `certificate` as an authority. Made by the program
/// openssl.
struct Certificate {
  explicit Certificate(const std::filesystem::path& folder)
      : certificate(folder / "certificate.pem"), key(folder / "key.pem") {
    const ProgramResult made =
        run_program("openssl", {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                                "-days", "2", "-subj", "/CN=Kiln's tests", "-addext", "subjectAltName=IP:127.0.0.1",
                                "-keyout", key.string(), "-out", certificate.string()});
    if (made.status != 0) throw std::runtime_error("openssl: " + made.output);
  }

  std::filesystem::path certificate;
  std::filesystem::path key;
};

}  // namespace kiln::test
