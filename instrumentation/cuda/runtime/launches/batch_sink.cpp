#include "instrumentation/cuda/runtime/launches/batch_sink.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "instrumentation/cuda/runtime/launches/library_use.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/warp/box_copies.h"
#include "instrumentation/cuda/runtime/warp/communicating_lanes.h"
#include "instrumentation/cuda/runtime/warp/site_pieces.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"

namespace tilereel::runtime {
namespace {

// Of the libraries whose headers are ours; the other one is wmma.
bool is_of_cub(const Site& site) {
    return std::string_view(site.file).find("/include/cub/") != std::string_view::npos;
}

// WarpEvent::sink_mark: whether the event is, for any lane, the last multiply-add of the time slice
// into its sum.
enum : std::uint32_t { kUnknown = 0, kOther = 1, kLastOfSum = 2 };

// Beyond this number of words, only some values of sums are kept.
constexpr std::uint64_t kValueBudget = std::uint64_t{1} << 22;

// Records::base of a collective.
std::uint32_t base_of(CollectiveKind collective, std::uint32_t operand) {
    switch (collective) {
        case CollectiveKind::kWaitCopies:
        case CollectiveKind::kWaitProducts:
            return std::min(operand, kMostGroups);
        case CollectiveKind::kSetRegisters:
            return operand;
        default:
            return 0;
    }
}

std::uint32_t interval_when_thinned() {
    const std::uint32_t asked = options().interval;
    return asked > 1 ? asked : kThinnedInterval;
}

}  // namespace

BatchSink::BatchSink(const LaunchFacts& facts, LaunchTables& tables)
    : warps_(static_cast<std::uint32_t>((facts.block.count() + kLanes - 1) / kLanes)),
      tables_(tables),
      sampler_(interval_when_thinned()),
      calls_(warps_) {}

void BatchSink::begin_batch(Batch& batch) {
    batch_ = &batch;
    for (const tilereel::Site& site : sites_) batch.add_site(site);
    batch.accumulators = std::max(batch.accumulators, accumulators_);
}

void BatchSink::begin_block(std::uint32_t block) {
    block_ = block;
    mark_ = batch_->mark();
    sampler_.begin_block(warps_);
    for (std::vector<OpenCall>& calls : calls_) calls.clear();
}

void BatchSink::begin_segment(std::uint32_t epoch, std::uint32_t warp) {
    warp_ = warp;
    batch_->begin_segment(block_, epoch, static_cast<std::uint16_t>(warp));
}

bool BatchSink::is_past_budget() const { return values_ > kValueBudget; }

// Without its value an assignment is useless. Multiply-adds are kept, because they are counted, and
// so are assignments that carry instructions.
bool BatchSink::keeps_assignments() const { return options().assignments && !is_past_budget(); }

void BatchSink::add_slice(const std::vector<WarpEvent>& events) {
    thins_ = options().interval > 1 || (options().interval == 0 && is_past_budget());
    if (thins_ && !events.empty() && events.front().sink_mark == kUnknown) find_last_sums(events);
    for (const WarpEvent& event : events) add(event);
}

SiteId BatchSink::add_site(const tilereel::Site& site) {
    sites_.push_back(site);
    return batch_->add_site(site);
}

void BatchSink::note_call(const Site* call, bool leaves, std::uint32_t mask) {
    if (call->in_library != 0) return;
    std::vector<OpenCall>& calls = calls_[warp_];
    if (!leaves) return calls.push_back({call, mask});
    // Lanes that diverged may leave before others.
    for (std::size_t i = calls.size(); i-- > 0 && mask != 0;) {
        if (calls[i].site != call) continue;
        const std::uint32_t left = calls[i].mask & mask;
        calls[i].mask &= ~left;
        mask &= ~left;
        if (calls[i].mask == 0) calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// What a library does is told of the line of the user's code that calls it.
const Site* BatchSink::told(const Site* site, std::uint32_t mask) {
    if (site->in_library == 0) return site;
    const std::vector<OpenCall>& calls = calls_[warp_];
    const auto found = std::find_if(calls.rbegin(), calls.rend(), [mask](const OpenCall& open) {
        return (open.mask & mask) != 0;
    });
    if (found == calls.rend()) return site;
    const Site* const call = found->site;
    const auto [entry, fresh] = told_.try_emplace({site, call}, *site);
    Site& made = entry->second;
    if (fresh) {
        made.file = call->file;
        made.line = call->line;
        made.column = call->column;
        if (is_of_cub(*site)) library_code_used = true;
    }
    return &made;
}

// A row keeps its numbers from one time slice to the next.
const BatchSink::SiteNumbers& BatchSink::numbers_of(const WarpEvent& event) {
    const Row& row = *event.row;
    if (row.site->in_library != 0)  // the next time slice may be that of another call
        return row.array != nullptr ? numbers_of(told(row.site, event.mask), row.array, 0)
                                    : numbers_of(told(row.site, event.mask), nullptr,
                                                 static_cast<std::uint32_t>(row.base));
    if (row.sink_data == nullptr)
        row.sink_data = row.array != nullptr
                            ? &numbers_of(row.site, row.array, 0)
                            : &numbers_of(row.site, nullptr, static_cast<std::uint32_t>(row.base));
    return *static_cast<const SiteNumbers*>(row.sink_data);
}

BatchSink::SiteNumbers& BatchSink::numbers_of(const Site* site, const MemoryArray* array,
                                              std::uint32_t place) {
    const auto [entry, fresh] = known_.try_emplace({site, array, place});
    SiteNumbers& numbers = entry->second;
    if (!fresh) return numbers;
    const tilereel::Site made =
        tables_.site_of(*site, array, array != nullptr ? piece_bytes(*site) : site->width_bytes);
    numbers.id = add_site(made);
    if (array != nullptr) {
        numbers.base = array->place_bytes;
        numbers.is_single = site->width_bytes >= 4 && pieces_of(*site) == 1;
        return numbers;
    }
    numbers.base = place / std::max(1u, site->width_bytes);
    if (site->kind == SiteKind::kMultiplyAdd) {
        numbers.base = tables_.number_of_sum(made.local, numbers.base);
        accumulators_ = std::max(accumulators_, numbers.base + 1);
        batch_->accumulators = std::max(batch_->accumulators, accumulators_);
    }
    return numbers;
}

void BatchSink::add(const WarpEvent& event) {
    if (event.row->array != nullptr)
        add_access(event);
    else if (event.row->site->kind == SiteKind::kParameter)
        add_parameter(event);
    else if (event.row->site->kind == SiteKind::kMatrixProduct)
        add_matrix_product(event);
    else if (event.row->site->kind >= SiteKind::kInitBarrier)
        add_phase(event);
    else if (event.row->site->kind != SiteKind::kEnter)
        add_value(event);
    else
        note_call(event.row->site, event.row->base != 0, event.mask);
}

void BatchSink::add_access(const WarpEvent& event) {
    const Row& row = *event.row;
    const SiteNumbers& numbers = numbers_of(event);
    if (numbers.is_single) {
        batch_->add_access(numbers.id, event.words, event.mask, numbers.base);
        if (row.words > 1) batch_->add_values(event.words + kLanes, event.mask, row.words - 1);
        return;
    }
    const std::uint32_t width = row.site->width_bytes, piece = piece_bytes(*row.site);
    for (std::uint32_t begin = 0; begin < width; begin += piece) {
        batch_->add_access(numbers.id, event.words, event.mask, numbers.base + begin);
        if (row.words < 2) continue;
        const std::uint32_t words = std::max(1u, piece / 4);
        if (piece >= 4) {
            if (begin / 4 + words < row.words)
                batch_->add_values(event.words + (1 + begin / 4) * kLanes, event.mask, words);
        } else {
            std::uint32_t values[kLanes];
            for (std::uint32_t i = 0; i < kLanes; ++i)
                values[i] = event.words[(1 + begin / 4) * kLanes + i] >> 8 * (begin % 4) &
                            (piece == 1 ? 0xffu : 0xffffu);
            batch_->add_values(values, event.mask, 1);
        }
    }
}

void BatchSink::add_value(const WarpEvent& event) {
    const Row& row = *event.row;
    const bool is_sum = row.site->kind == SiteKind::kMultiplyAdd;
    if (is_past_budget() && is_only_a_value(*row.site)) return;
    const SiteNumbers& numbers = numbers_of(event);
    batch_->add_plain(numbers.id, numbers.base, event.mask);
    if (is_past_budget() && !is_sum) return;
    if (thins_ && !sampler_.is_due(warp_, numbers.base, event.mask) &&
        event.sink_mark != kLastOfSum)
        return;
    batch_->add_values(event.words, event.mask, row.words);
    values_ += std::uint64_t{row.words} * count_lanes(event.mask);
}

// The event's base is the product, its words are the registers.
void BatchSink::add_matrix_product(const WarpEvent& event) {
    const Row& row = *event.row;
    const Site* const site = told(row.site, event.mask);
    const auto [entry, fresh] = known_.try_emplace({site, nullptr, row.words});
    if (fresh) entry->second.id = add_site(tables_.site_of(*site, nullptr, 4u * row.words));
    batch_->add_plain(entry->second.id, static_cast<std::uint32_t>(row.base), event.mask);
    // The reads of a warpgroup's product follow from its values.
    if (is_past_budget() && !WarpgroupProduct::is_code(static_cast<std::uint32_t>(row.base)))
        return;
    batch_->add_values(event.words, event.mask, row.words);
    values_ += std::uint64_t{row.words} * count_lanes(event.mask);
}

// Adds a record for each mbarrier and phase. barrier_calls.cpp defines the words of the event.
void BatchSink::add_phase(const WarpEvent& event) {
    const Site* const site = event.row->site;
    const auto add_copies = [&] {
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            add_box(*reinterpret_cast<const BoxCopy*>(event.words[2 * kLanes + lane] |
                                                      std::uint64_t{event.words[3 * kLanes + lane]}
                                                          << 32));
        }
    };
    if (site->kind == SiteKind::kBulkStore) return add_copies();
    const auto [entry, fresh] = known_.try_emplace({site, nullptr, 0});
    if (fresh) entry->second.id = add_site(tables_.site_of(*site, nullptr, 4));
    const auto word = [&](std::uint32_t row, std::uint32_t lanes) {
        return event.words[row * kLanes + static_cast<std::uint32_t>(std::countr_zero(lanes))];
    };
    for (std::uint32_t left = event.mask; left != 0;) {
        const std::uint32_t place = word(0, left), phase = word(1, left);
        std::uint32_t lanes = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
            if (word(0, rest) == place && word(1, rest) == phase) lanes |= rest & (0u - rest);
        const std::uint32_t number = tables_.number_of_barrier(place);
        batch_->add_plain(entry->second.id, MBarrierPhase{number, phase}.base(), lanes);
        left &= ~lanes;
    }
    if (site->kind == SiteKind::kStartBulkCopy) add_copies();
}

// Records the pieces of the copy as if lanes copied them: see Operation::kStartBulkCopy.
void BatchSink::add_box(const BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches) {
        std::uint32_t from[kLanes], to[kLanes], values[4][kLanes] = {};
        const std::uint32_t words = std::max(1u, batch.width_bytes / 4);
        const std::uint32_t mask = 0xffffffff >> (kLanes - batch.count);
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            from[i] = static_cast<std::uint32_t>(piece.from - copy.from->base);
            to[i] = copy.to->place_bytes + static_cast<std::uint32_t>(piece.to - copy.to->base);
            for (std::uint32_t word = 0; word < words; ++word)
                std::memcpy(&values[word][i], piece.value.data() + 4 * word,
                            std::min(batch.width_bytes, 4u));
        }
        if (copy.is_store) {
            batch_->add_access(numbers_of(batch.load, copy.to, 0).id, to, mask);
            if (batch.outside) continue;
            batch_->add_access(numbers_of(batch.store, copy.from, 0).id, from, mask);
        } else {
            if (!batch.outside)
                batch_->add_access(numbers_of(batch.load, copy.from, 0).id, from, mask);
            batch_->add_access(numbers_of(batch.store, copy.to, 0).id, to, mask);
        }
        batch_->add_values(values[0], mask, words);
    }
}

// Gives sites numbers in the order of their events. The numbers are then those of the merged trace,
// so that merging a batch changes none of its records.
void BatchSink::number_sites(const std::vector<WarpEvent>& events) {
    for (const WarpEvent& event : events)
        if (event.row->array != nullptr || event.row->site->kind == SiteKind::kMultiplyAdd)
            static_cast<void>(numbers_of(event));
}

// Which multiply-adds are the last of the time slice into their sum, for any lane.
void BatchSink::find_last_sums(const std::vector<WarpEvent>& events) {
    std::ranges::fill(later_, 0u);
    bool are_numbered = false;
    for (std::size_t i = events.size(); i-- > 0;) {
        const Row& row = *events[i].row;
        events[i].sink_mark = kOther;
        if (row.array != nullptr || row.site->kind != SiteKind::kMultiplyAdd) continue;
        if (row.sink_data == nullptr && !std::exchange(are_numbered, true)) number_sites(events);
        const std::uint32_t sum = numbers_of(events[i]).base;
        if (sum >= later_.size()) later_.resize(sum + 1);
        std::uint32_t& lanes = later_[sum];
        if ((events[i].mask & ~lanes) != 0) events[i].sink_mark = kLastOfSum;
        lanes |= events[i].mask;
    }
}

void BatchSink::add_parameter(const WarpEvent& event) {
    const Site* const site = event.row->site;
    if (!seen_parameters_.insert(site).second) return;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(event.mask));
    std::uint64_t value = event.words[lane];
    if (event.row->words > 1) value |= std::uint64_t{event.words[kLanes + lane]} << 32;
    tables_.add_parameter(*site, value);
}

void BatchSink::add_call(const Site* site, std::uint32_t mask, CollectiveKind collective,
                         const std::uint32_t* operand) {
    if (site == nullptr) return;
    site = told(site, mask);
    const auto [entry, fresh] =
        known_.try_emplace({site, nullptr, static_cast<std::uint32_t>(collective)});
    if (fresh) entry->second.id = add_site(tables_.site_of_call(*site, collective));
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    if (collective == CollectiveKind::kShuffle)
        batch_->add_access(entry->second.id, operand, mask);
    else
        batch_->add_plain(entry->second.id,
                          operand == nullptr ? 0 : base_of(collective, operand[first]), mask);
}

std::uint32_t BatchSink::accumulator_interval() const {
    if (options().interval != 0) return options().interval;
    return is_past_budget() ? kThinnedInterval : 1;
}

}  // namespace tilereel::runtime
