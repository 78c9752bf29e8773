#pragma once
// What a stream and an event are.
#include <chrono>
#include <cstdint>
#include <vector>

#include "cuda_runtime_api.h"

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
};
struct CUevent_st {
    std::chrono::steady_clock::time_point at;
    bool recorded = false;
    // When it was recorded: whether a kernel was pending, and how often the host had waited.
    bool after_launch = false;
    std::uint64_t waits = 0;
    // In a captured stream: the capture, and the nodes that come before.
    unsigned long long capture = 0;
    std::vector<cudaGraphNode_t> nodes;
};

namespace tilereel::runtime {

void set_time(cudaEvent_t event);

}  // namespace tilereel::runtime
