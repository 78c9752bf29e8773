#include "instrumentation/record/emulator.h"

#include <algorithm>
#include <memory>

#include "instrumentation/base/check.h"
#include "instrumentation/record/recording.h"

namespace tilereel {
namespace {

// The blocks of one worker, run on its fibers.
class EmulatedBlocks final : public BlockRecorder {
  public:
    explicit EmulatedBlocks(const BlockJob& job) : runner_(job) {}
    Status begin_batch(Batch& batch, std::uint32_t, std::uint32_t) override {
        runner_.begin_batch(batch);
        return Done{};
    }
    Status run(std::uint32_t block) override { return runner_.run(block); }

  private:
    BlockRunner runner_;
};

Array global_array(const char* name, std::uint32_t rows, std::uint32_t columns) {
    return {.name = name,
            .space = Space::kGlobal,
            .rows = rows,
            .columns = columns,
            .leading_dimension = columns,
            .element_bytes = sizeof(float),
            .base_bytes = 0};
}

}  // namespace

Trace empty_trace(const EmulatedLaunch& launch, Inputs inputs) {
    const Launch& shape = launch.launch;
    Trace trace;
    trace.launch = shape;
    trace.accumulator_interval = launch.accumulator_interval;
    trace.arrays = {global_array("A", shape.m, shape.k), global_array("B", shape.k, shape.n),
                    global_array("C", shape.m, shape.n)};
    trace.product = MatrixProduct{};
    trace.a = std::move(inputs.a);
    trace.b = std::move(inputs.b);
    trace.c_before = std::move(inputs.c);
    trace.c = trace.c_before;
    trace.c.resize(std::size_t{shape.m} * shape.n, 0.0f);
    return trace;
}

Result<Trace> emulate(const EmulatedLaunch& launch, Inputs inputs, RecordProgress* progress) {
    check(launch.accumulator_interval >= 1 && launch.body != nullptr);
    const std::uint32_t all = launch.launch.blocks() - launch.first_block;
    const std::uint32_t blocks = launch.blocks == 0 ? all : std::min(all, launch.blocks);
    Trace trace = empty_trace(launch, std::move(inputs));
    MemoryBudget budget(launch.memory_limit_bytes);
    const BlockJob job{.launch = &launch.launch,
                       .body = launch.body,
                       .arguments = {.a = trace.a.data(),
                                     .b = trace.b.data(),
                                     .c = trace.c.data(),
                                     .m = static_cast<int>(launch.launch.m),
                                     .n = static_cast<int>(launch.launch.n),
                                     .k = static_cast<int>(launch.launch.k)},
                       .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                       .accumulator_interval = launch.accumulator_interval,
                       .in_order = launch.in_order,
                       .budget = &budget,
                       .cancel = progress != nullptr ? &progress->cancel : nullptr};
    const unsigned workers = workers_for(launch.workers, blocks);
    const BlockRange range{.first = launch.first_block,
                           .blocks = blocks,
                           .batch_blocks = blocks_of_a_batch(blocks, workers),
                           .workers = workers};
    const Status status = record_blocks(
        range, [&] { return std::make_unique<EmulatedBlocks>(job); }, trace, progress);
    if (!status) return status.error();
    return trace;
}

}  // namespace tilereel
