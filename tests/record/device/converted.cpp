#include "tests/record/device/converted.h"

#include <algorithm>

#include "tests/trace/same_trace.h"

namespace tilereel::testing {
namespace {

class HostSource final : public RecordSource {
  public:
    HostSource(const device::DeviceRecord* records, const std::uint32_t* words)
        : records_(records), words_(words) {}
    Result<const device::DeviceRecord*> records(std::uint64_t begin, std::uint64_t) override {
        return records_ + begin;
    }
    Result<const std::uint32_t*> lane_words(std::uint64_t begin, std::uint64_t) override {
        return words_ + begin * kWarpSize;
    }

  private:
    const device::DeviceRecord* records_;
    const std::uint32_t* words_;
};

}  // namespace

Result<Trace> convert(const Trace& like, const std::vector<WarpRecords>& warps,
                      std::uint32_t interval, unsigned workers, std::uint32_t room) {
    Trace trace;
    trace.launch = like.launch;
    trace.launch.shared_bytes = 0;
    trace.arrays.assign(like.arrays.begin(), like.arrays.begin() + kGlobalArrayCount);
    trace.accumulator_interval = interval;
    trace.source_name = like.source_name;
    trace.source = like.source;
    trace.product = like.product;
    trace.a = like.a;
    trace.b = like.b;
    trace.c = like.c;
    trace.c_before = like.c_before;
    trace.wrong_elements = like.wrong_elements;
    trace.unexplained_values = like.unexplained_values;
    const std::vector<Array> shared(like.arrays.begin() + kGlobalArrayCount, like.arrays.end());

    std::vector<std::uint64_t> begins{0};
    std::vector<std::uint32_t> counts;
    std::vector<device::DeviceRecord> records;
    std::vector<std::array<std::uint32_t, 32>> words;
    for (const WarpRecords& warp : warps) {
        const std::size_t kept = std::min<std::size_t>(warp.records.size(), room);
        counts.push_back(static_cast<std::uint32_t>(warp.records.size()));
        for (std::size_t i = 0; i < kept; ++i) {
            records.push_back(warp.records[i]);
            words.push_back(warp.lane_words[i]);
        }
        begins.push_back(records.size());
    }
    MemoryBudget budget(kDefaultMemoryLimitBytes);
    const DeviceRecording recording{.launch = &trace.launch,
                                    .segment_begin = begins,
                                    .record_counts = counts,
                                    .shared_arrays = shared,
                                    .shared_bytes = like.launch.shared_bytes,
                                    .accumulator_interval = interval,
                                    .budget = &budget};
    const BlockRange range{
        .first = 0, .blocks = trace.launch.blocks(), .batch_blocks = 2, .workers = workers};
    const auto source = [&] {
        return std::make_unique<HostSource>(records.data(),
                                            words.empty() ? nullptr : words.front().data());
    };
    const Status converted = record_blocks(
        range, [&] { return std::make_unique<DeviceBlocks>(recording, source()); }, trace, nullptr);
    if (!converted) return converted.error();
    return trace;
}

std::string difference_but_for_time(Trace one, Trace other) {
    for (Trace* trace : {&one, &other}) {
        trace->recorded_by = {};
        trace->records.clock.clear();
        trace->multiprocessors.clear();
    }
    return first_difference(one, other);
}

}  // namespace tilereel::testing
