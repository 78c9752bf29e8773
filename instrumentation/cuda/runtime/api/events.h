#pragma once
// What a stream and an event are.
#include <chrono>
#include <vector>

#include "cuda_runtime_api.h"

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
};
struct CUevent_st {
    std::chrono::steady_clock::time_point at;
    bool recorded = false;
    // In a captured stream: the capture, and the nodes that come before.
    unsigned long long capture = 0;
    std::vector<cudaGraphNode_t> nodes;
};

namespace tilereel::runtime {

void set_time(cudaEvent_t event);

}  // namespace tilereel::runtime
