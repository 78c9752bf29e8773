#pragma once
// What the simulation of an SM (sm_simulation.h) takes and gives.
#include <cstdint>
#include <vector>

namespace tilereel {

struct SmConditions {
    std::uint32_t shared_bytes = 0;  // of all blocks: L1 has the rest
    double dram_share = 0;           // of what goes to L2: it comes from DRAM, or ends there
    // Of the lines that L1 does not have: L2 does not have them either.
    double missed_share = 0;
};

// What one site of the kernel took.
struct SiteTime {
    double memory = 0;  // clocks of the memory pipe
    double issued = 0;  // instructions of warps
    // Clocks of the pipes of an SM, of its schedulers together.
    double fma = 0, alu = 0, xu = 0, fp64 = 0;
    double l2_bytes = 0;  // moved between L1 and L2
    double waited = 0;    // clocks in which a warp waited at this site for what it needs
};

struct SmRun {
    double clocks = 0;  // until the last block ends
    // As long as all blocks run: an SM that gets a new block for each that ends stays at this pace.
    double steady_clocks = 0;  // for all the instructions
    double memory = 0;         // clocks in which the memory pipe was busy
    double issued = 0;         // instructions of warps
    // Clocks in which the pipes of all schedulers were busy.
    double fma = 0, alu = 0, xu = 0, fp64 = 0;
    double sectors = 0;         // of global loads and copies
    double missed_sectors = 0;  // of them: not in L1
    double l2_bytes = 0;        // moved between L1 and L2
    std::vector<SiteTime> sites;
};

}  // namespace tilereel
