#include "tests/record/device/device_trace_writer.h"

#include <bit>
#include <cstring>
#include <deque>
#include <random>

#include "instrumentation/base/check.h"

namespace tilereel::testing {
namespace {

using device::DeviceOperation;

// What one lane passes to the recorder at one call.
struct Call {
    std::uint32_t site, word;
    const WarpRecords* pieces = nullptr;  // of the box that it asks for: no clocks yet
};

DeviceOperation of_phase(Operation operation) {
    return operation == Operation::kArrive      ? DeviceOperation::kArrive
           : operation == Operation::kStartBox  ? DeviceOperation::kStartBox
           : operation == Operation::kWaitPhase ? DeviceOperation::kWaitPhase
                                                : DeviceOperation::kMakeBarrier;
}

// Of one record, the calls of each lane; all lanes of the mask make equally many.
std::vector<std::array<Call, 32>> calls_of(const Trace& trace, std::size_t record,
                                           std::uint64_t value_at) {
    const Site& site = trace.sites[site_of(trace, record)];
    const LaneOffsets lanes = lane_offsets(trace, record);
    const std::uint32_t words = site.width_bytes / 4u;
    std::vector<std::array<Call, 32>> calls(1);
    if (writes(site.operation)) calls.resize(1 + words);
    std::uint32_t active = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((lanes.mask >> lane & 1u) == 0) continue;
        const auto value = [&](std::uint32_t word) {
            return trace.words[value_at + active * words + word];
        };
        const auto pack = [&](DeviceOperation operation) {
            return device::pack_site(site.line, site.array, site.width_bytes, operation);
        };
        switch (site.operation) {
            case Operation::kCopyLoad:
                calls[0][lane] = {pack(DeviceOperation::kCopyLoad), lanes.bytes[lane]};
                break;
            case Operation::kCommitCopies:
                calls[0][lane] = {
                    device::pack_site(site.line, 0, 0, DeviceOperation::kCommitCopies), 0};
                break;
            case Operation::kWaitCopies:
                calls[0][lane] = {device::pack_site(site.line, trace.records.base[record], 0,
                                                    DeviceOperation::kWaitCopies),
                                  0};
                break;
            case Operation::kAtomic:
            case Operation::kExchange:
            case Operation::kAssign:
                check(false);  // no kernel of the ladder has any
                break;
            case Operation::kLoad:
                calls[0][lane] = {pack(DeviceOperation::kLoad), lanes.bytes[lane]};
                break;
            case Operation::kStore:
            case Operation::kCopyStore:
                calls[0][lane] = {
                    pack(site.operation == Operation::kStore ? DeviceOperation::kStore
                                                             : DeviceOperation::kCopyStore),
                    lanes.bytes[lane]};
                for (std::uint32_t word = 0; word < words; ++word)
                    calls[1 + word][lane] = {pack(DeviceOperation::kStoredWord), value(word)};
                break;
            case Operation::kMultiplyAdd:
                check(has_values(trace, record));
                calls[0][lane] = {device::pack_site(site.line, trace.records.base[record], 4,
                                                    DeviceOperation::kMultiplyAdd),
                                  value(0)};
                break;
            case Operation::kBarrier:
            case Operation::kWarpBarrier:
                calls[0][lane] = {device::pack_site(site.line, 0, 0,
                                                    site.operation == Operation::kBarrier
                                                        ? DeviceOperation::kBarrier
                                                        : DeviceOperation::kWarpBarrier),
                                  0};
                break;
            case Operation::kArrive:
            case Operation::kStartBox:
            case Operation::kWaitPhase:
            case Operation::kMakeBarrier:
                calls[0][lane] = {device::pack_site(site.line, 0, 0, of_phase(site.operation)),
                                  trace.records.base[record]};
                break;
        }
        ++active;
    }
    return calls;
}

void add(WarpRecords& warp, const std::array<Call, 32>& calls, std::uint32_t mask,
         std::uint64_t& clock) {
    check(mask != 0);
    clock += 3;
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    check(calls[first].pieces == nullptr || std::has_single_bit(mask));
    warp.records.push_back({calls[first].site, mask, clock});
    auto& words = warp.lane_words.emplace_back();
    words.fill(0xdeadbeef);  // what lies in the buffer of a lane that takes no part
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        check(calls[lane].site == calls[first].site);
        words[lane] = calls[lane].word;
    }
    if (const WarpRecords* pieces = calls[first].pieces; pieces != nullptr) {
        for (device::DeviceRecord record : pieces->records) {
            record.clock = clock += 3;
            warp.records.push_back(record);
        }
        warp.lane_words.insert(warp.lane_words.end(), pieces->lane_words.begin(),
                               pieces->lane_words.end());
    }
}

// The pieces behind the start of a box, as the thread that asks for it writes them. Goes on to the
// first record behind them.
WarpRecords take_pieces(const Trace& trace, std::uint64_t& record, std::uint64_t end,
                        std::uint64_t& value_at) {
    WarpRecords pieces;
    const std::uint32_t line = trace.sites[site_of(trace, record - 1)].line;
    const auto add_piece = [&](std::uint32_t array, std::uint32_t width, DeviceOperation operation,
                               std::uint32_t mask, auto&& word) {
        pieces.records.push_back({device::pack_site(line, array, width, operation), mask, 0});
        auto& words = pieces.lane_words.emplace_back();
        for (std::uint32_t i = 0; i < 32; ++i) words[i] = (mask >> i & 1u) != 0 ? word(i) : 0;
    };
    for (; record < end; ++record) {
        const Site& site = trace.sites[site_of(trace, record)];
        if (!is_copy(site.operation) || site.line != line) break;
        const LaneOffsets lanes = lane_offsets(trace, record);
        const bool loads = site.operation == Operation::kCopyLoad;
        add_piece(site.array, site.width_bytes,
                  loads ? DeviceOperation::kBoxLoad : DeviceOperation::kBoxStore, lanes.mask,
                  [&](std::uint32_t i) { return lanes.bytes[i]; });
        if (loads) continue;
        const std::uint32_t words = site.width_bytes / 4u;
        for (std::uint32_t word = 0; word < words; ++word)
            add_piece(site.array, site.width_bytes, DeviceOperation::kBoxWord, lanes.mask,
                      [&](std::uint32_t i) {  // pieces are the first so many
                          return trace.words[value_at + i * words + word];
                      });
        value_at += value_count(trace, record);
    }
    return pieces;
}

std::uint32_t lanes_from(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t lanes = count >= 32 ? 0xffffffff : (1u << count) - 1;
    return lanes << first;
}

bool is_barrier(std::uint32_t site) {
    return device::site_operation(site) == DeviceOperation::kBarrier ||
           device::site_operation(site) == DeviceOperation::kWarpBarrier;
}

// Runs the lanes of one warp in a random order.
WarpRecords scatter(const std::array<std::vector<Call>, 32>& lanes, std::mt19937& random,
                    std::uint64_t& clock) {
    WarpRecords warp;
    std::array<std::size_t, 32> next{};
    std::uint32_t alive = 0, at_block_barrier = 0, at_warp_barrier = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if (!lanes[lane].empty()) alive |= 1u << lane;
    while (alive != 0) {
        std::uint32_t ready = alive & ~at_block_barrier & ~at_warp_barrier;
        if (ready == 0 && at_warp_barrier != 0) {
            ready = at_warp_barrier;
            at_warp_barrier = 0;
        } else if (ready == 0) {
            ready = at_block_barrier;
            at_block_barrier = 0;
        }
        std::uint32_t lane = random() % 32;
        while ((ready >> lane & 1u) == 0) lane = (lane + 1) % 32;
        const std::uint32_t site = lanes[lane][next[lane]].site;
        const auto with = static_cast<std::uint32_t>(random() % 3 == 0 ? random() : 0xffffffffu);
        std::uint32_t mask = 0;
        std::array<Call, 32> calls{};
        for (std::uint32_t other = 0; other < 32; ++other) {
            if ((ready >> other & 1u) == 0 || lanes[other][next[other]].site != site) continue;
            if (other != lane && (with >> other & 1u) == 0) continue;
            mask |= 1u << other;
            calls[other] = lanes[other][next[other]++];
            if (next[other] == lanes[other].size()) alive &= ~(1u << other);
        }
        add(warp, calls, mask, clock);
        if (!is_barrier(site)) continue;
        (device::site_operation(site) == DeviceOperation::kBarrier ? at_block_barrier
                                                                   : at_warp_barrier) |=
            mask & alive;
    }
    return warp;
}

}  // namespace

std::vector<WarpRecords> as_device_records(const Trace& trace, Convergence convergence,
                                           std::uint32_t seed, std::uint32_t group) {
    const std::size_t warps_of_block = trace.launch.warps();
    const std::size_t warps = trace.launch.blocks() * warps_of_block;
    std::vector<WarpRecords> result(warps);
    std::vector<std::array<std::vector<Call>, 32>> lanes(warps);
    std::mt19937 random(seed);
    std::uint64_t clock = 1'000'000;
    std::deque<WarpRecords> boxes;  // stay where they are
    for (std::size_t i = 0; i < trace.segments.size(); ++i) {
        const std::size_t warp = trace.segments.block[i] * warps_of_block + trace.segments.warp[i];
        std::uint64_t value_at = trace.segments.value_begin[i];
        const std::uint64_t end = trace.segments.record_begin[i + 1];
        for (std::uint64_t record = trace.segments.record_begin[i], next = 0; record < end;
             record = next) {
            next = record + 1;
            const std::uint32_t mask = trace.patterns[trace.records.pattern[record]].mask;
            const Operation operation = trace.sites[site_of(trace, record)].operation;
            for (auto& calls : calls_of(trace, record, value_at)) {
                if (operation == Operation::kStartBox)
                    calls[static_cast<std::size_t>(std::countr_zero(mask))].pieces =
                        &boxes.emplace_back(take_pieces(trace, next, end, value_at));
                if (convergence == Convergence::kTogether) add(result[warp], calls, mask, clock);
                if (convergence == Convergence::kInGroups)
                    for (std::uint32_t first = 0; first < 32; first += group)
                        if (const std::uint32_t part = mask & lanes_from(first, group); part != 0)
                            add(result[warp], calls, part, clock);
                for (std::size_t lane = 0; lane < 32; ++lane)
                    if (mask >> lane & 1u) lanes[warp][lane].push_back(calls[lane]);
            }
            if (has_values(trace, record)) value_at += value_count(trace, record);
        }
    }
    if (convergence == Convergence::kScattered)
        for (std::size_t warp = 0; warp < warps; ++warp)
            result[warp] = scatter(lanes[warp], random, clock);
    return result;
}

}  // namespace tilereel::testing
