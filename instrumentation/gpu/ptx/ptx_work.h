#pragma once
// What is recorded of an instruction, and the PTX that records it.
#include <string>
#include <vector>

#include "instrumentation/gpu/ptx/ptx_facts.h"

namespace tilereel::gpu {

struct PtxHook {
    std::string before, after;
    std::string instead;  // replaces the instruction; empty: it stays
};
// How an instruction is recorded.
struct PtxWork {
    std::vector<PtxSite> sites;  // in the order of their records; empty: nothing is recorded
    PtxHook hook;
    bool left_out = false;  // it accesses memory or synchronizes, and is not recorded
};

}  // namespace tilereel::gpu
