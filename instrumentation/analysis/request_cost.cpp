#include "instrumentation/analysis/request_cost.h"

#include <algorithm>
#include <bit>
#include <span>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::size_t kMostWords = kWarpSize * 4;  // a full warp of 16-byte accesses

bool is_active(const LaneOffsets& lanes, int lane) { return (lanes.mask >> lane & 1u) != 0; }

// True if every two active lanes whose numbers differ by `distance` in that bit alone have the same
// address.
bool neighbours_agree(const LaneOffsets& lanes, int distance) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
        const int other = lane ^ distance;
        if (is_active(lanes, lane) && is_active(lanes, other) &&
            lanes.bytes[lane] != lanes.bytes[other])
            return false;
    }
    return true;
}

// How many neighbouring lanes the banks serve together. A 4-byte access: the whole warp. 8 bytes:
// half a warp, 16 bytes: a quarter (CUDA C++ Programming Guide, "Shared Memory" of compute
// capability 3.x, 64- and 128-bit accesses; confirmed by tests/hardware on 9.0). Loads, not stores,
// double up when lanes one or two apart ask for the same address (measured, tests/hardware).
int lanes_in_group(const WarpAccess& access) {
    if (access.width_bytes <= 4) return kWarpSize;
    const bool merged = access.operation == Operation::kLoad &&
                        (neighbours_agree(access.lanes, 1) || neighbours_agree(access.lanes, 2));
    const int apart = access.width_bytes == 8 ? kWarpSize / 2 : kWarpSize / 4;
    return merged ? apart * 2 : apart;
}

// Which words wait at each bank, in the order in which lanes first asked for them.
class BankQueues {
  public:
    explicit BankQueues(int banks) : banks_(static_cast<std::uint32_t>(banks)) {}

    // The word's place in its bank's queue, from 0. A word asked for before keeps its place: one
    // read serves every lane that wants it (Programming Guide, "Shared Memory": broadcast).
    std::uint32_t place_of(std::uint32_t word) {
        const std::uint32_t bank = word % banks_;
        std::uint32_t place = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if (words_[i] == word) return place;
            place += words_[i] % banks_ == bank;
        }
        words_[count_++] = word;
        ++length_[bank];
        return place;
    }
    [[nodiscard]] const std::array<std::uint8_t, 32>& lengths() const { return length_; }
    [[nodiscard]] std::uint32_t longest() const { return *std::ranges::max_element(length_); }

  private:
    std::uint32_t banks_;
    std::size_t count_ = 0;
    std::array<std::uint32_t, kMostWords> words_{};
    std::array<std::uint8_t, 32> length_{};
};

// Calls visit(lane, word) for every 4-byte word of every active lane in [first, last).
template <class Visit>
void for_each_word(const WarpAccess& access, int first, int last, Visit visit) {
    for (int lane = first; lane < last; ++lane) {
        if (!is_active(access.lanes, lane)) continue;
        const std::uint32_t word = access.lanes.bytes[lane] / kWordBytes;
        for (std::uint32_t i = 0; i < std::max(1u, access.width_bytes / kWordBytes); ++i)
            visit(lane, word + i);
    }
}

std::uint32_t lanes_of_group(std::uint32_t mask, int first, int size) {
    return size == kWarpSize ? mask : mask >> first & ((1u << size) - 1);
}

// A group of lanes costs the largest number of distinct words that fall in one bank (CUDA C++
// Programming Guide, "Shared Memory": bank conflicts).
void add_shared_cost(const WarpAccess& access, const Generation& generation, RequestCost& cost) {
    const int size = lanes_in_group(access);
    for (int first = 0; first < kWarpSize; first += size) {
        if (lanes_of_group(access.lanes.mask, first, size) == 0) continue;
        BankQueues queues(generation.banks);
        for_each_word(access, first, first + size,
                      [&](int, std::uint32_t word) { queues.place_of(word); });
        cost.wavefronts += queues.longest();
        ++cost.ideal_wavefronts;
    }
    cost.bank_conflicts = cost.wavefronts - cost.ideal_wavefronts;
}

// How many distinct aligned units of `unit_bytes` the active lanes touch.
std::uint32_t distinct_units(const WarpAccess& access, int unit_bytes) {
    std::array<std::uint64_t, std::size_t{kWarpSize} * 2> units{};
    std::size_t count = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) {
        if (!is_active(access.lanes, lane)) continue;
        const std::uint64_t begin = access.lanes.bytes[lane];
        units[count++] = begin / unit_bytes;
        units[count++] = (begin + access.width_bytes - 1) / unit_bytes;
    }
    const auto used = std::span(units).first(count);
    std::ranges::sort(used);
    return static_cast<std::uint32_t>(count - std::ranges::unique(used).size());
}

// How many distinct bytes the active lanes touch; lanes may overlap.
std::uint32_t distinct_bytes(const WarpAccess& access) {
    std::array<std::uint64_t, kWarpSize> begins{};
    std::size_t count = 0;
    for (int lane = 0; lane < kWarpSize; ++lane)
        if (is_active(access.lanes, lane)) begins[count++] = access.lanes.bytes[lane];
    const auto sorted = std::span(begins).first(count);
    std::ranges::sort(sorted);
    std::uint64_t bytes = 0, end = 0;  // all before `end` is counted
    for (const std::uint64_t begin : sorted) {
        const std::uint64_t last = begin + access.width_bytes;
        bytes += last - std::clamp(end, begin, last);
        end = last;
    }
    return static_cast<std::uint32_t>(bytes);
}

}  // namespace

RequestCost cost_of(const WarpAccess& access, const Generation& generation) {
    RequestCost cost;
    cost.lanes = static_cast<std::uint32_t>(std::popcount(access.lanes.mask));
    cost.bytes_requested = cost.lanes * access.width_bytes;
    if (access.space == Space::kShared) {
        add_shared_cost(access, generation, cost);
        return cost;
    }
    // One request moves each distinct 32-byte sector it touches, in 128-byte lines (CUDA C++
    // Programming Guide, "Global Memory" of 5.x and later; tests/hardware).
    cost.sectors = distinct_units(access, generation.sector_bytes);
    cost.lines = distinct_units(access, generation.line_bytes);
    cost.bytes_used = distinct_bytes(access);
    cost.bytes_moved = cost.sectors * static_cast<std::uint32_t>(generation.sector_bytes);
    return cost;
}

BankService bank_service(const WarpAccess& access, const Generation& generation) {
    BankService service;
    service.bank.fill(BankService::kOff);
    service.wavefront.fill(BankService::kOff);
    const int size = lanes_in_group(access);
    BankQueues whole_request(generation.banks);
    std::uint32_t wavefronts_before = 0;  // groups follow one another
    for (int first = 0; first < kWarpSize; first += size) {
        BankQueues queues(generation.banks);
        for_each_word(access, first, first + size, [&](int lane, std::uint32_t word) {
            std::uint8_t& done = service.wavefront[lane];
            const auto turn = static_cast<std::uint8_t>(wavefronts_before + queues.place_of(word));
            if (service.bank[lane] == BankService::kOff) {
                service.bank[lane] = static_cast<std::uint8_t>(word % generation.banks);
                done = turn;
            }
            done = std::max(done, turn);
            whole_request.place_of(word);
        });
        wavefronts_before += queues.longest();
        for (std::size_t bank = 0; bank < queues.lengths().size(); ++bank)
            service.worst_group_words[bank] =
                std::max(service.worst_group_words[bank], queues.lengths()[bank]);
    }
    service.words_in_bank = whole_request.lengths();
    service.banks_used = static_cast<std::uint32_t>(
        kWarpSize - std::ranges::count(service.words_in_bank, std::uint8_t{0}));
    return service;
}

WarpAccess access_of(const Trace& trace, std::size_t record) {
    const Site& site = trace.sites[site_of(trace, record)];
    check(site.array < trace.arrays.size());
    return {.space = trace.arrays[site.array].space,
            .operation = site.operation,
            .width_bytes = site.width_bytes,
            .lanes = lane_offsets(trace, record)};
}

CostCache::CostCache(const Trace& trace, const Generation& generation)
    : trace_(trace), generation_(generation), first_row_(trace.patterns.size(), kNone) {}

const RequestCost& CostCache::operator()(std::size_t record) { return costs_[slot_of(record)]; }

std::uint32_t CostCache::slot_of(std::size_t record) {
    constexpr std::uint32_t kPeriodBytes = 128;  // moving a request by a line changes no cost
    const SiteId site = site_of(trace_, record);
    const std::uint32_t row = row_of(trace_.records.pattern[record], site);
    std::uint32_t& slot = rows_[row].slot[trace_.records.base[record] % kPeriodBytes / kWordBytes];
    if (slot == kNone) {
        slot = static_cast<std::uint32_t>(costs_.size());
        costs_.push_back(cost_of(access_of(trace_, record), generation_));
        sites_.push_back(site);
    }
    return slot;
}

std::uint32_t CostCache::row_of(std::uint32_t pattern, SiteId site) {
    for (std::uint32_t row = first_row_[pattern]; row != kNone; row = rows_[row].next) {
        if (rows_[row].site == site) return row;
    }
    Row fresh{.site = site, .next = first_row_[pattern], .slot = {}};
    fresh.slot.fill(kNone);
    rows_.push_back(fresh);
    return first_row_[pattern] = static_cast<std::uint32_t>(rows_.size() - 1);
}

}  // namespace tilereel
