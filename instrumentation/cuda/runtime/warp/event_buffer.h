#pragma once
// A sink that stores events and replays them to another sink later: those of a warp whose time
// slices interleave with those of other warps, or of a block whose time slices interleave with
// other blocks.
#include <deque>
#include <functional>
#include <vector>

#include "instrumentation/cuda/runtime/block_sink.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {

class EventBuffer final : public BlockSink {
  public:
    // Replays the events of a block to `sink`. `arrays`: the shared arrays of one worker. Each
    // shared array of an event is replaced by the one of `arrays` with the same variable.
    void replay_with(BlockSink& sink, const std::vector<MemoryArray>& arrays);

    // Replays the events of a warp to the sink of its block.
    void replay(BlockSink& sink);

    void begin_block(std::uint32_t block) override {
        block_ = block;
        undo_block();
    }
    void undo_block() override {
        calls_.clear();
        rows_.clear();
        words_.clear();
    }
    void begin_segment(std::uint32_t epoch, std::uint32_t warp) override {
        calls_.push_back([=](BlockSink& sink) { sink.begin_segment(epoch, warp); });
    }
    void add_slice(const std::vector<WarpEvent>& events) override;
    void add_call(const Site* site, std::uint32_t mask, CollectiveKind kind,
                  const std::uint32_t* operand) override;
    void end_segment() override {
        calls_.push_back([](BlockSink& sink) { sink.end_segment(); });
    }

  private:
    struct KeptRow {
        Row row;
        const Variable* shared = nullptr;  // the variable, if the row accesses a shared array
    };
    std::uint32_t block_ = 0;
    std::vector<std::function<void(BlockSink&)>> calls_;
    std::deque<KeptRow> rows_;
    std::deque<std::vector<std::uint32_t>> words_;
};

}  // namespace tilereel::runtime
