// Claims at a remote cache are renewed while a compiler works, and its questions to the file system are recorded.
#include "worker/dependencies/file_recording.hpp"
#include "worker/remote/remote_claims.hpp"

#include "environment_guard.hpp"
#include "redis_server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace claim_recording_test {

using namespace kiln;
using kiln::test::RedisServer;

TEST_CASE("what the renewal of a claim reads is no dependency of what is compiled meanwhile" *
          doctest::skip(RedisServer::is_missing())) {
  RedisServer server({.has_tls = true});
  const std::string certificate = server.certificate().string();
  const kiln::test::EnvironmentGuard trust({{"SSL_CERT_FILE", certificate}});
  const RemoteAddress address =
      parse_remotes("rediss://127.0.0.1:" + std::to_string(server.tls_port()) + " connect-timeout=60s").front();
  FileRecording recording;
  keep_claim(address, "name", "owner", std::chrono::milliseconds(0));
  while (server.calls("eval") == 0) std::this_thread::yield();
  const FileRecord record = recording.take();
  CHECK(record.gap.empty());
  const auto& all = record.questions;
  CHECK(
      std::none_of(all.begin(), all.end(), [&](const FileQuestion& question) { return question.path == certificate; }));
  drop_claim("owner");
}

}  // namespace claim_recording_test
