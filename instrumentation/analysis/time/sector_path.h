#pragma once
// The way of sectors between an SM and DRAM: its L1 cache, its part of L2's and of DRAM's speed.
#include "instrumentation/analysis/time/block_stream.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/analysis/time/l1_cache.h"
#include "instrumentation/analysis/time/sm_run.h"

namespace tilereel {

// What became of a load.
struct Fetched {
    double there = 0;                                    // clock at which all sectors are there
    std::uint32_t missed_sectors = 0, missed_lines = 0;  // that L1 did not have
};

class SectorPath {
  public:
    SectorPath(const GpuModel& gpu, const SmConditions& conditions);
    // `tag`: of the block, whose sectors others do not share but for BlockStream::kOfAllBlocks.
    Fetched fetch(const TimedOp& op, const BlockStream& stream, std::uint64_t tag, double begin);
    void store(const TimedOp& op, const BlockStream& stream, double begin);

  private:
    double move_sector(double clock, std::uint32_t of_line);
    bool is_in_l2();
    double wait_for_dram();

    const GpuModel& gpu_;
    const SmConditions& conditions_;
    L1Cache l1_;
    double l2_free_ = 0, dram_free_ = 0;
    double missed_ = 0.5;                      // lines from DRAM that are due
    double dram_load_ = 0, loaded_until_ = 0;  // how busy DRAM was lately, up to that clock
    std::uint32_t chance_ = 1;
};

}  // namespace tilereel
