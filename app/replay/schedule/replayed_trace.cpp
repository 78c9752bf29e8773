#include "app/replay/schedule/replayed_trace.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "app/replay/elements.h"
#include "instrumentation/analysis/hazards/product_reads.h"

namespace tilereel {
namespace {

bool has_warpgroup_products(const Trace& trace, const SegmentRange& block) {
    if (std::ranges::none_of(trace.sites, [](const Site& site) {
            return site.operation == Operation::kMatrixProduct;
        }))
        return false;
    const auto records = records_of(trace.segments, block);
    return std::ranges::any_of(
        records, [&](std::uint64_t record) { return is_warpgroup_product(trace, record); });
}

// Copies a block's records, and puts the reads before each product.
class ReadsAdder {
  public:
    ReadsAdder(const Trace& recorded, Trace& made) : recorded_(recorded), made_(made) {}

    // The records of the block; `recorded_from`: which they were.
    void add_block(std::uint32_t block, std::vector<std::uint64_t>& recorded_from) {
        const BlockRecords records = records_of_block(recorded_, block);
        for (std::size_t segment = records.segments.first; segment < records.segments.last;
             ++segment) {
            made_.segments.record_begin[segment] = made_.records.size();
            for (const std::uint64_t record : records_of(recorded_.segments, segment)) {
                if (is_warpgroup_product(recorded_, record))
                    add_reads(record, words_of_record(recorded_, records, record),
                              recorded_.segments.warp[segment] % kWarpsOfGroup);
                copy(record);
                recorded_from.resize(made_.records.size() - records.first, record);
            }
        }
    }
    void copy(std::uint64_t record) {
        add(recorded_.records.site[record], recorded_.records.pattern[record],
            recorded_.records.base[record], record);
    }

  private:
    void add(std::uint16_t site, std::uint32_t pattern, std::uint32_t base, std::uint64_t like) {
        made_.records.site.push_back(site);
        made_.records.pattern.push_back(pattern);
        made_.records.base.push_back(base);
        if (!recorded_.records.clock.empty())
            made_.records.clock.push_back(recorded_.records.clock[like]);
    }

    void add_reads(std::uint64_t record, std::span<const std::uint32_t> words, std::uint32_t warp) {
        const auto product = WarpgroupProduct::of_code(recorded_.records.base[record]);
        if (!product || words.size() < WarpgroupOperands::kWords) return;
        const MatrixPieces pieces = core_matrices_read(
            *product, WarpgroupOperands::of(site_at(recorded_, record).variety, words),
            static_cast<int>(warp));
        add_matrix(record, pieces.a, AccessKind::kFactorA);
        add_matrix(record, pieces.b, AccessKind::kFactorB);
    }

    // Pieces outside all arrays are left out, as are those that no record can have: a record has
    // one array.
    void add_matrix(std::uint64_t record, std::span<const MatrixPiece> pieces, AccessKind kind) {
        for (std::size_t next = 0; next < pieces.size();) {
            const ArrayId array = array_at(recorded_, pieces[next].address);
            if (array == kNoArray) {
                ++next;
                continue;
            }
            std::vector<std::uint32_t> of_record;
            while (next < pieces.size() && of_record.size() < kWarpSize &&
                   array_at(recorded_, pieces[next].address) == array)
                of_record.push_back(pieces[next++].address);
            add(site_for(record, array, kind), pattern_for(of_record), of_record.front(), record);
        }
    }

    SiteId site_for(std::uint64_t record, ArrayId array, AccessKind kind) {
        const SiteId of_product = site_of(recorded_, record);
        const auto [at, is_new] =
            sites_.try_emplace({of_product, array, kind}, static_cast<SiteId>(made_.sites.size()));
        if (is_new) {
            const Site& product = recorded_.sites[of_product];
            made_.sites.push_back({.line = product.line,
                                   .array = array,
                                   .operation = Operation::kLoad,
                                   .width_bytes = kMatrixPieceBytes,
                                   .variety = static_cast<std::uint8_t>(kind),
                                   .column = product.column,
                                   .file = product.file});
        }
        return at->second;
    }

    std::uint32_t pattern_for(std::span<const std::uint32_t> pieces) {
        IrregularOffsets offsets{};
        for (std::size_t i = 0; i < pieces.size(); ++i)
            offsets[i] =
                static_cast<std::int32_t>(pieces[i]) - static_cast<std::int32_t>(pieces.front());
        const auto [at, is_new] = patterns_.try_emplace(
            {pieces.size(), offsets}, static_cast<std::uint32_t>(made_.patterns.size()));
        if (is_new) {
            made_.patterns.push_back(
                {.mask = pieces.size() == kWarpSize ? ~0u : (1u << pieces.size()) - 1,
                 .irregular = static_cast<std::uint32_t>(made_.irregular_offsets.size())});
            made_.irregular_offsets.push_back(offsets);
        }
        return at->second;
    }

    const Trace& recorded_;
    Trace& made_;
    std::map<std::tuple<SiteId, ArrayId, AccessKind>, SiteId> sites_;
    std::map<std::pair<std::size_t, IrregularOffsets>, std::uint32_t> patterns_;
};

}  // namespace

ReplayedTrace::ReplayedTrace(const Trace& recorded, std::uint32_t block) : recorded_(recorded) {
    const SegmentRange range = segments_of_block(recorded, block);
    if (range.first >= range.last || !has_warpgroup_products(recorded, range)) return;
    auto made = std::make_unique<Trace>(recorded);
    const std::vector<std::uint64_t>& begins = recorded.segments.record_begin;
    first_ = begins[range.first];
    made->records.site.resize(first_);
    made->records.pattern.resize(first_);
    made->records.base.resize(first_);
    if (!made->records.clock.empty()) made->records.clock.resize(first_);
    ReadsAdder adder(recorded, *made);
    adder.add_block(block, recorded_from_);
    for (std::uint64_t record = begins[range.last]; record < recorded.records.size(); ++record)
        adder.copy(record);
    const std::uint64_t added = made->records.size() - recorded.records.size();
    for (std::size_t segment = range.last; segment < begins.size(); ++segment)
        made->segments.record_begin[segment] = begins[segment] + added;
    made_ = std::move(made);
}

std::uint64_t ReplayedTrace::recorded(std::uint64_t record) const {
    if (!made_) return record;
    const std::uint64_t at = record - first_;
    return at < recorded_from_.size() ? recorded_from_[at] : record;
}

}  // namespace tilereel
