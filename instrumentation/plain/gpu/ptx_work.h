#pragma once
// What is recorded of an instruction, and the PTX that records it.
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/ptx_facts.h"

namespace tilereel::plain {

struct PtxHook {
    std::string before, after;
    std::string instead;  // of the instruction; empty: it stays
};
// What an instruction does that is recorded, or why it is not.
struct PtxWork {
    std::vector<PtxSite> sites;  // in the order of their records; empty: nothing is recorded
    PtxHook hook;
    bool left_out = false;  // it touches memory, and is not recorded
};

}  // namespace tilereel::plain
