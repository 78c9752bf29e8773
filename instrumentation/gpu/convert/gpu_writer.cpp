#include "instrumentation/gpu/convert/gpu_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "instrumentation/gpu/convert/gpu_phases.h"
#include "instrumentation/trace/fragments/warpgroup_product.h"
#include "instrumentation/trace/fragments/warpgroup_reads.h"
#include "instrumentation/trace/views.h"

namespace tilereel::gpu {
namespace {

constexpr std::uint64_t kLargestBox = std::uint64_t{1} << 31;

std::uint64_t first_of(std::span<const runtime::BoxPiece> pieces) {
    return std::ranges::min(pieces, {}, &runtime::BoxPiece::from).from;
}

}  // namespace

// In a trace an asynchronous copy is two consecutive records of the same lanes. A copy that reads
// fewer bytes than it writes may load with other lanes; it becomes a load and a store.
void GpuWriter::write(const GpuEvent& event) {
    const Operation operation = operation_of(event);
    const bool is_whole = copy_ && operation == Operation::kCopyStore &&
                          copy_->site + 1 == event.site && copy_->mask == event.mask &&
                          copy_->caller == event.caller;
    if (is_whole) {
        write_as(*copy_, Operation::kCopyLoad);
        write_as(event, Operation::kCopyStore);
        copy_.reset();
        return;
    }
    flush_copy();
    if (operation == Operation::kCopyLoad) {
        copy_ = event;
        std::copy_n(event.offsets, kWarpSize, copy_offsets_);
        copy_->offsets = copy_offsets_;
    } else if (is_mbarrier_operation(operation)) {
        write_phase(event);
    } else if (facts_.sites[event.site].is_box) {
        write_stored_boxes(event);
    } else {
        write_as(event, operation == Operation::kCopyStore ? Operation::kStore : operation);
    }
}
void GpuWriter::flush_copy() {
    if (copy_) write_as(*copy_, Operation::kLoad);
    copy_.reset();
}
void GpuWriter::write_as(const GpuEvent& event, Operation operation) {
    const PtxSite& site = facts_.sites[event.site];
    const SiteId id = site_of(event, operation, site.width_bytes);
    if (operation == Operation::kMultiplyAdd) {
        const std::uint32_t number = sums_.number_of(event.sum);
        batch_->add_plain(id, number, event.mask);
        batch_->keep_clock(event.clock);
        if (sampler_.is_due(warp_, number, event.mask) || event.last_lanes != 0)
            batch_->add_values(event.values, event.mask, site.value_words);
        return;
    }
    if (event.offsets == nullptr)
        batch_->add_plain(id, site.base, event.mask);
    else
        batch_->add_access(id, event.offsets, event.mask, event.shift);
    batch_->keep_clock(event.clock);
    if (operation == Operation::kMatrixProduct && WarpgroupProduct::is_code(site.base))
        write_descriptors(site, event);
    else if (site.value_words != 0)
        write_values(site, event.values, event.mask);
}
// An address in a descriptor becomes the offset in the trace's shared memory, as for accesses: the
// arrays may begin elsewhere on the GPU (PTX ISA, "Matrix Descriptor": bits 0 to 13 hold it).
void GpuWriter::write_descriptors(const PtxSite& site, const GpuEvent& event) {
    constexpr std::uint32_t kField = 0x3fff, kUnit = 16;
    std::uint32_t words[WarpgroupOperands::kWords * kWarpSize];
    std::copy_n(event.values, std::size(words), words);
    const bool a_in_registers = (site.variety & 1) != 0;  // WarpgroupOperands::variety()
    for (const unsigned low : {0u, 2u}) {                 // of A, of B
        if (low == 0 && a_in_registers) continue;
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            std::uint32_t& word = words[low * kWarpSize + lane];
            const std::uint64_t address = std::uint64_t{word & kField} * kUnit;
            const GpuMemory::Place* const place = places_.find(true, address);
            if ((event.mask >> lane & 1) == 0 || place == nullptr) continue;
            const auto offset = static_cast<std::uint32_t>((address - place->origin) / kUnit);
            word = (word & ~kField) | (offset & kField);
        }
    }
    batch_->add_values(words, event.mask, site.value_words);
}
bool GpuWriter::write_like_last(const tilereel_gpu::DeviceRecord& record,
                                const std::uint32_t* words, const GpuMemory::Place& place) {
    const PtxSite& site = facts_.sites[record.site];
    const std::uint64_t bytes = place.end - place.begin;
    if (copy_ || is_copy(site.operation) || bytes >= std::uint64_t{1} << 31 ||
        bytes < site.width_bytes)
        return false;
    const LatestSite& known = latest(record.site, site.operation);
    if (!known.is(record.caller, place.number, site.operation, site.width_bytes, site.variety))
        return false;
    if (!batch_->add_access_like_last(known.site, words, record.mask,
                                      0u - static_cast<std::uint32_t>(place.origin),
                                      static_cast<std::uint32_t>(place.begin),
                                      static_cast<std::uint32_t>(bytes) - site.width_bytes))
        return false;
    batch_->keep_clock(record.clock);
    if (site.value_words != 0) write_values(site, words + kWarpSize, record.mask);
    return true;
}
// Values of less than 4 bytes are the lower bits of their words.
void GpuWriter::write_values(const PtxSite& site, const std::uint32_t* values, std::uint32_t mask) {
    if (site.width_bytes >= 4) {
        batch_->add_values(values, mask, site.value_words);
        return;
    }
    std::uint32_t narrow[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        narrow[lane] = values[lane] & ((1u << 8 * site.width_bytes) - 1);
    batch_->add_values(narrow, mask, 1);
}
// Writes a record for each phase among the lanes' values, at barriers of the block and of others.
void GpuWriter::write_phase(const GpuEvent& event) {
    const Operation operation = operation_of(event);
    const auto of_other = [&](std::uint32_t lane) {
        return (event.values[kWarpSize + lane] & GpuPhases::kOfOtherBlock) != 0;
    };
    for (std::uint32_t left = event.mask; left != 0;) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t phase = event.values[first];
        std::uint32_t lanes = 0;
        for (const std::uint32_t lane : lanes_in(left))
            if (event.values[lane] == phase && of_other(lane) == of_other(first))
                lanes |= 1u << lane;
        left &= ~lanes;
        if (phase == GpuPhases::kNone) continue;
        if (operation == Operation::kWaitPhase) write_landings(event, phase);
        batch_->add_plain(site_of(event, operation, 4, of_other(first) ? 1 : 0), phase, lanes);
        batch_->keep_clock(event.clock);
    }
    if (operation != Operation::kStartBulkCopy) return;
    for (const std::uint32_t lane : lanes_in(event.mask))
        if (const GpuBox box = box_of(event, lane); box.goes_to(rank_, rank_))
            add_box(event, box, 0);
}
GpuBox GpuWriter::box_of(const GpuEvent& event, std::uint32_t lane) const {
    const std::uint32_t record = event.values[kWarpSize + lane] & ~GpuPhases::kOfOtherBlock;
    return {facts_.sites[event.site], events_.words(record), lane};
}
// The copies of other blocks that the wait waits for, those of earlier phases first.
void GpuWriter::write_landings(const GpuEvent& wait, std::uint32_t phase) {
    const auto is_awaited = [&](const GpuPhases::Landing& landing) {
        const MBarrierPhase one = MBarrierPhase::of(landing.phase),
                            other = MBarrierPhase::of(phase);
        return one.barrier == other.barrier && one.phase <= other.phase;
    };
    for (const GpuPhases::Landing& landing : landings_) {
        if (!is_awaited(landing)) continue;
        const tilereel_gpu::DeviceRecord& record = events_.at(landing.record);
        GpuEvent start;
        start.site = record.site;
        start.caller = record.caller;
        start.array = GpuEvent::kNoArray;
        start.clock = wait.clock;
        start.mask = wait.mask & (0u - wait.mask);
        batch_->add_plain(site_of(start, Operation::kStartBulkCopy, 4, 1), landing.phase,
                          start.mask);
        batch_->keep_clock(start.clock);
        add_box(start,
                GpuBox(facts_.sites[record.site], events_.words(landing.record), landing.lane), 1);
    }
    std::erase_if(landings_, is_awaited);
}
// Pieces take the place of lanes: see Operation::kStartBulkCopy.
void GpuWriter::add_box(const GpuEvent& start, const GpuBox& box, std::uint8_t variety) {
    const runtime::BoxCopy copy = box.pieces(*all_.memory);
    for (const runtime::BoxBatch& pieces : copy.batches) {
        const std::span<const runtime::BoxPiece> of_batch(copy.pieces.data() + pieces.first,
                                                          pieces.count);
        if (!pieces.outside) add_pieces(start, pieces, of_batch, Operation::kCopyLoad, variety);
        add_pieces(start, pieces, of_batch, Operation::kCopyStore, 0);
    }
}
// A bulk copy to global memory: loads and stores, as lanes make them.
void GpuWriter::write_stored_boxes(const GpuEvent& event) {
    constexpr auto kBulk = static_cast<std::uint8_t>(AccessKind::kBulk);
    for (const std::uint32_t lane : lanes_in(event.mask)) {
        const runtime::BoxCopy copy = box_of(event, lane).pieces(*all_.memory);
        for (const runtime::BoxBatch& pieces : copy.batches) {
            const std::span<const runtime::BoxPiece> of_batch(copy.pieces.data() + pieces.first,
                                                              pieces.count);
            add_pieces(event, pieces, of_batch, Operation::kLoad, kBulk);
            if (!pieces.outside) add_pieces(event, pieces, of_batch, Operation::kStore, kBulk);
        }
    }
}
std::span<const std::byte> GpuWriter::content_of(std::span<const runtime::BoxPiece> pieces,
                                                 std::uint32_t width_bytes) const {
    const std::uint64_t first = first_of(pieces);
    const std::uint64_t bytes = std::ranges::max(pieces, {}, &runtime::BoxPiece::from).from - first;
    const auto all = static_cast<std::uint32_t>(bytes) + width_bytes;
    const std::byte* const content =
        bytes < kLargestBox ? all_.memory->content(first, all) : nullptr;
    return content == nullptr ? std::span<const std::byte>() : std::span(content, all);
}
bool GpuWriter::last_values(std::span<const runtime::BoxPiece> pieces, std::uint32_t width_bytes,
                            std::uint32_t (&values)[4][kWarpSize]) const {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::byte* const content = all_.memory->last_content(pieces[i].from, width_bytes);
        if (content == nullptr) return false;
        for (std::uint32_t at = 0; at < width_bytes; at += 4)
            std::memcpy(&values[at / 4][i], content + at, std::min(width_bytes - at, 4u));
    }
    return true;
}
void GpuWriter::add_pieces(const GpuEvent& start, const runtime::BoxBatch& batch,
                           std::span<const runtime::BoxPiece> pieces, Operation operation,
                           std::uint8_t variety) {
    const bool copies = is_copy(operation), stores = operation == Operation::kCopyStore;
    // In shared memory: what a copy stores, or what a copy to global memory loads.
    const bool in_shared = stores || operation == Operation::kLoad;
    std::uint32_t offsets[kWarpSize] = {}, values[4][kWarpSize] = {};
    const GpuMemory::Place* place = nullptr;
    bool has_values = true;
    const bool reads = stores && !batch.outside;
    const std::uint64_t first = first_of(pieces);
    const std::span<const std::byte> whole =
        reads ? content_of(pieces, batch.width_bytes) : std::span<const std::byte>();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::uint64_t address = in_shared ? pieces[i].to : pieces[i].from;
        place = places_.find(in_shared, address);
        if (place == nullptr) return;
        offsets[i] = static_cast<std::uint32_t>(address - place->origin);
        if (!reads) continue;
        const std::byte* const content =
            whole.empty() ? all_.memory->content(pieces[i].from, batch.width_bytes)
                          : whole.data() + (pieces[i].from - first);
        has_values = has_values && content != nullptr;
        for (std::uint32_t at = 0; has_values && at < batch.width_bytes; at += 4)
            std::memcpy(&values[at / 4][i], content + at, std::min(batch.width_bytes - at, 4u));
    }
    if (operation == Operation::kStore) has_values = last_values(pieces, batch.width_bytes, values);
    GpuEvent event = start;
    event.array = place->number;
    const SiteId id = site_of(event, operation, batch.width_bytes, variety);
    const std::uint32_t mask = 0xffffffff >> (kWarpSize - pieces.size());
    batch_->add_access(id, offsets, mask);
    batch_->keep_clock(start.clock);
    const bool keeps = stores || operation == Operation::kStore;
    if (keeps && has_values && (copies || !batch.outside))
        batch_->add_values(values[0], mask, std::max(1u, batch.width_bytes / 4));
}

SiteId GpuWriter::site_of(const GpuEvent& event, Operation operation, std::uint32_t width_bytes,
                          std::uint8_t variety) {
    LatestSite& known = latest(event.site, operation);
    if (known.is(event.caller, event.array, operation, width_bytes, variety)) return known.site;
    const std::uint64_t first = std::uint64_t{event.site} << 32 | event.caller;
    const std::uint64_t second = std::uint64_t{event.array} << 24 | std::uint64_t{variety} << 16 |
                                 static_cast<std::uint64_t>(operation) << 8 | width_bytes;
    const auto [entry, fresh] = known_.try_emplace({first, second});
    if (fresh) {
        const PtxPlace place = place_of(facts_, event.site, event.caller);
        Site made;
        made.line = std::max(place.line, 1u);
        made.column = static_cast<std::uint16_t>(std::min(place.column, 0xffffu));
        made.file = static_cast<std::uint16_t>(place.file);
        made.operation = operation;
        if (event.array != GpuEvent::kNoArray) made.array = static_cast<ArrayId>(event.array);
        if (event.array != GpuEvent::kNoArray || operation == Operation::kMultiplyAdd ||
            operation == Operation::kMatrixProduct)
            made.width_bytes = static_cast<std::uint8_t>(width_bytes);
        made.variety = variety;
        entry->second = batch_->add_site(all_.finish_site(made));
    }
    known = {.caller = event.caller,
             .array = event.array,
             .operation = operation,
             .width_bytes = static_cast<std::uint8_t>(width_bytes),
             .variety = variety,
             .known = true,
             .site = entry->second};
    return entry->second;
}

}  // namespace tilereel::gpu
