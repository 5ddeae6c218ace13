// What a worker has open, and in which places: its standard descriptors are no streams.
#pragma once

namespace kiln {

constexpr int worker_channel = 0;  // a socket: jobs come in, answers go out
/// A file in memory, to which the link of a job's TraceFolder leads.
constexpr int worker_trace = 3;

}  // namespace kiln
