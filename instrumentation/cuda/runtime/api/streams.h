#pragma once
// While a stream is captured, the work that is given to it becomes nodes of a graph and does not
// run.
#include <atomic>
#include <optional>

#include "instrumentation/cuda/runtime/api/events.h"
#include "instrumentation/cuda/runtime/api/graph.h"

namespace tilereel::runtime {

inline std::atomic<int> captures_running{0};

// If the stream is captured: adds the node that make() returns, and returns what the call returns.
// Otherwise nullopt: the work runs now.
[[nodiscard]] std::optional<cudaError_t> capture(cudaStream_t stream, Work work);
template <class Make>
[[nodiscard]] std::optional<cudaError_t> captured(cudaStream_t stream, const Make& make) {
    return captures_running == 0 ? std::nullopt : capture(stream, make());
}
// For a call that waits for the stream, which cannot be captured.
[[nodiscard]] std::optional<cudaError_t> refuse_captured(cudaStream_t stream);
// An event of a captured stream. Returns whether the stream is captured.
bool capture_record(cudaStream_t stream, cudaEvent_t event);
// The stream joins the event's capture.
bool capture_wait(cudaStream_t stream, cudaEvent_t event);

}  // namespace tilereel::runtime
