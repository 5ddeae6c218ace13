// What a worker has open, and in which places. Its output goes nowhere, and its errors into a file in memory of the
// host's: it holds no stream of the host.
#pragma once

namespace kiln {

constexpr int worker_channel = 0;  // a socket: jobs come in, answers go out
constexpr int worker_control = 3;  // a socket: hung up by the host to end the worker; how the compiler ended goes out
constexpr int worker_host = 4;     // a pidfd of the host; the null device where the system has none

}  // namespace kiln
