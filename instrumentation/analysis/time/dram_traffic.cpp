#include "instrumentation/analysis/time/dram_traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "instrumentation/analysis/time/pipe_work.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr double kFilled = 0.99;  // of an array: its sectors are written whole
// Of L2: what is held for reading. "NVIDIA A100 Tensor Core GPU Architecture", "L2 Cache": each of
// two partitions caches what the SMs connected to it access, so that both hold what all SMs read.
constexpr double kForReading = 0.5;
constexpr double kForWriting = 0.8;  // a written sector has one place
// L2 fetches so much for a sector that it lacks: CUDA Runtime API, cudaLimitMaxL2FetchGranularity.
constexpr std::uint32_t kFetchedBytes = 64;
// Of the sectors between the first and the last of a block: with fewer, it takes single places.
constexpr double kDense = 0.5;
constexpr std::size_t kEnoughSectors = 16;

// What the recorded blocks do to one array.
struct Use {
    std::unordered_set<std::uint32_t> read, fetched;           // sectors; what L2 fetches at once
    std::unordered_map<std::uint32_t, std::uint32_t> written;  // sector -> bytes as bits
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
    std::vector<std::uint32_t> of_block, placed;  // sectors that the current block accesses
    double asked = 0, stored = 0;                 // sectors, each once for a block
    double placed_reads = 0, placed_writes = 0;
    std::size_t sparse_blocks = 0, dense_blocks = 0;
};

class Traffic {
  public:
    Traffic(const Trace& trace, const GpuModel& gpu)
        : trace_(trace), gpu_(gpu), uses_(trace.arrays.size()) {}

    DramTraffic run() {
        std::uint32_t block = 0;
        for (std::size_t segment = 0; segment < trace_.segments.size(); ++segment) {
            if (trace_.segments.block[segment] != block) end_block();
            block = trace_.segments.block[segment];
            for (const std::uint64_t record : records_of(trace_.segments, segment)) add(record);
        }
        end_block();
        const double recorded =
            static_cast<double>(std::max<std::size_t>(whole_blocks(trace_).size(), 1));
        times_ = static_cast<double>(trace_.launch.blocks()) / recorded;
        for (std::size_t array = 0; array < uses_.size(); ++array)
            if (uses_[array].first <= uses_[array].last) sum_up(array);
        serve_scattered();
        keep_written();
        for (const ArrayTraffic& each : traffic_.arrays) {
            traffic_.fetched_bytes += each.fetched_bytes;
            traffic_.written_bytes += each.written_bytes;
        }
        return std::move(traffic_);
    }

  private:
    struct Scattered {
        std::size_t at = 0;  // in traffic_.arrays
        double places = 0, reads = 0, writes = 0;
        [[nodiscard]] double uses_of_a_place() const { return (reads + writes) / places; }
    };

    void add(std::uint64_t record) {
        const Site& site = site_at(trace_, record);
        if (!is_access(site.operation) || trace_.arrays[site.array].space != Space::kGlobal) return;
        Use& use = uses_[site.array];
        const LaneOffsets lanes = lane_offsets(trace_, record);
        const std::uint32_t bytes = (1u << site.width_bytes) - 1;
        for (const std::uint32_t lane : lanes_in(lanes.mask)) {
            const std::uint32_t sector = lanes.bytes[lane] / kCacheSectorBytes;
            use.first = std::min(use.first, sector);
            use.last = std::max(use.last, sector);
            if (reads(site.operation)) {
                use.read.insert(sector);
                use.fetched.insert(lanes.bytes[lane] / kFetchedBytes);
            }
            if (writes(site.operation))
                use.written[sector] |= bytes << lanes.bytes[lane] % kCacheSectorBytes;
            // Reads and writes of a block apart: twice the number, and 1 for writes.
            const std::uint32_t entry = 2 * sector + (reads(site.operation) ? 0 : 1);
            use.of_block.push_back(entry);
            if (site.address == AddressKind::kLoaded) use.placed.push_back(entry);
        }
    }

    static std::size_t sort_out(std::vector<std::uint32_t>& entries) {
        std::ranges::sort(entries);
        entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
        return entries.size();
    }

    void end_block() {
        for (Use& use : uses_) {
            if (use.of_block.empty()) continue;
            const auto is_store = [](std::uint32_t entry) { return entry % 2 != 0; };
            const double all = static_cast<double>(sort_out(use.of_block));
            const double stores =
                static_cast<double>(std::ranges::count_if(use.of_block, is_store));
            use.asked += all - stores;
            use.stored += stores;
            if (sort_out(use.placed) >= kEnoughSectors) {
                const double span = (use.placed.back() - use.placed.front()) / 2 + 1;
                const bool dense = static_cast<double>(use.placed.size()) > kDense * span;
                ++(dense ? use.dense_blocks : use.sparse_blocks);
            }
            const double placed_stores =
                static_cast<double>(std::ranges::count_if(use.placed, is_store));
            use.placed_writes += placed_stores;
            use.placed_reads += static_cast<double>(use.placed.size()) - placed_stores;
            use.of_block.clear();
            use.placed.clear();
        }
    }

    void sum_up(std::size_t array) {
        const Use& use = uses_[array];
        const double size =
            std::min(static_cast<double>(trace_.arrays[array].size_bytes()),
                     (static_cast<double>(use.last) - use.first + 1) * kCacheSectorBytes);
        const auto bytes_of = [&](double sectors) {
            return std::min(sectors * kCacheSectorBytes * times_, size);
        };
        ArrayTraffic sum{.array = static_cast<ArrayId>(array),
                         .asked_bytes = use.asked * kCacheSectorBytes * times_};
        std::size_t partly = 0, both = 0;
        double filled = 0;
        for (const auto& [sector, bits] : use.written) {
            filled += std::popcount(bits);
            const bool is_read = use.read.contains(sector);
            both += is_read ? 1 : 0;
            if (~bits != 0 && !is_read) ++partly;
        }
        const double read = bytes_of(static_cast<double>(use.read.size()));
        constexpr double kSectorsFetched = kFetchedBytes / kCacheSectorBytes;
        sum.written_bytes = bytes_of(static_cast<double>(use.written.size()));
        sum.fetched_bytes = bytes_of(kSectorsFetched * static_cast<double>(use.fetched.size()));
        sum.touched_bytes =
            std::min(read + bytes_of(static_cast<double>(use.written.size() - both)), size);
        // What is written in part is read before, unless the other blocks write the rest of it.
        if (filled * times_ < kFilled * size)
            sum.fetched_bytes += bytes_of(static_cast<double>(partly));
        sum.scattered = use.sparse_blocks > use.dense_blocks;
        if (sum.scattered)
            scattered_.push_back({.at = traffic_.arrays.size(),
                                  .places = std::max(size / kFetchedBytes, 1.0),
                                  .reads = use.placed_reads * times_,
                                  .writes = use.placed_writes * times_});
        else
            streamed_ += sum.touched_bytes;
        traffic_.arrays.push_back(sum);
    }

    // Of L2's bytes those that are filled after a share of the launch.
    [[nodiscard]] double filled_after(double share) const {
        double bytes = streamed_ * share;
        for (const Scattered& each : scattered_)
            bytes += each.places * kFetchedBytes * -std::expm1(-each.uses_of_a_place() * share);
        return bytes;
    }

    void serve_scattered() {
        if (scattered_.empty()) return;
        const double room = kForReading * gpu_.l2_bytes;
        if (filled_after(1) <= room) return;  // each place is fetched once
        double low = 0, high = 1;
        for (int i = 0; i < 50; ++i) {
            const double middle = (low + high) / 2;
            (filled_after(middle) <= room ? low : high) = middle;
        }
        for (const Scattered& each : scattered_) {
            ArrayTraffic& sum = traffic_.arrays[each.at];
            // While L2 fills, an access hits what was used before at all.
            const double uses = each.uses_of_a_place(), later = std::exp(-uses * low);
            const double misses = (1 - later) / uses + (1 - low) * later;
            sum.fetched_bytes =
                (each.reads * kFetchedBytes + each.writes * kCacheSectorBytes) * misses;
            if (each.writes > 0) sum.written_bytes = each.writes * kCacheSectorBytes * misses;
        }
    }

    // The end of what was written is still in L2, beside what was read then.
    void keep_written() {
        double touched = 0;
        for (const ArrayTraffic& each : traffic_.arrays) touched += each.touched_bytes;
        const double kept = std::min(1.0, kForWriting * gpu_.l2_bytes / std::max(touched, 1.0));
        for (ArrayTraffic& each : traffic_.arrays)
            each.written_bytes -= std::min(each.written_bytes, each.touched_bytes) * kept;
    }

    const Trace& trace_;
    const GpuModel& gpu_;
    std::vector<Use> uses_;  // by array
    DramTraffic traffic_;
    std::vector<Scattered> scattered_;
    double times_ = 1;
    double streamed_ = 0;  // bytes
};

}  // namespace

DramTraffic dram_traffic(const Trace& trace, const GpuModel& gpu) {
    return Traffic(trace, gpu).run();
}

}  // namespace tilereel
