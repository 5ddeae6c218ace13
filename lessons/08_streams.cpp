// Lesson 8, streams: what one stream does waits for another stream only where an event says so.
#include "lesson.hpp"

const char* const source = R"(// Stands for a long computation: it ends when the host opens the gate.
__global__ void produce(const volatile int* gate, int* values) {
  if (threadIdx.x == 0)
    while (*gate == 0) {}
  __syncthreads();
  values[threadIdx.x] = 1;
}

__global__ void consume(const int* values, int* results) { results[threadIdx.x] = values[threadIdx.x] + 1; }
)";

const int size = 64;

/// What the consumer made. With the event it waits for the producer, which runs in another stream.
std::vector<int> results_of(const kiln::SourceModule& module, bool with_event) {
  const std::vector<int> zeros(size);
  kiln::DeviceBuffer<int> gate(std::vector<int>{0});
  const kiln::DeviceBuffer<int> values(zeros), results(zeros);
  const auto producer = kiln::Stream::non_blocking(), consumer = kiln::Stream::non_blocking();
  const auto opener = kiln::Stream::non_blocking();

  module.get_function("produce")({1, size, 0, producer}, gate, values);
  kiln::Event produced;
  produced.record(producer);
  if (with_event) consumer.wait_for_event(produced);
  module.get_function("consume")({1, size, 0, consumer}, values, results);

  // The gate stays closed until the consumer has done all that it can do without the producer.
  if (with_event)
    std::printf("before the producer's end the consumer is %s\n", consumer.is_done() ? "DONE" : "waiting");
  else
    consumer.synchronize();
  gate.fill(1, opener);
  for (const kiln::Stream* stream : {&opener, &producer, &consumer}) stream->synchronize();
  return results.to_host();
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("streams.cu"));
  const std::vector<int> expected(size, 2);
  const bool found = !is_right("without an event", results_of(module, false), expected);
  const bool right = is_right("with an event", results_of(module, true), expected);
  std::puts("Look at: the results. The profile has the same counts of `consume` for both, as order is no count.");
  return found && right ? 0 : 1;
}
