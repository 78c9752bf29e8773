#include "instrumentation/analysis/products/product_accesses.h"

#include <algorithm>
#include <bit>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostBlocks = 16;         // whose accesses are examined
constexpr std::size_t kMostRecords = 1u << 20;  // of a launch that is searched for runs

// A rectangle of a matrix, half-open.
struct MatrixPart {
    std::uint32_t row0 = ~0u, row1 = 0, column0 = ~0u, column1 = 0;
    [[nodiscard]] bool empty() const { return row0 >= row1; }
    [[nodiscard]] std::uint32_t rows() const { return row1 - row0; }
    [[nodiscard]] std::uint32_t columns() const { return column1 - column0; }
    void add(ElementPlace at) {
        row0 = std::min(row0, at.row), row1 = std::max(row1, at.row + 1);
        column0 = std::min(column0, at.column), column1 = std::max(column1, at.column + 1);
    }
    [[nodiscard]] bool has_rows_of(const MatrixPart& c) const {
        return !empty() && row0 <= c.row0 && row1 >= c.row1 && rows() <= c.rows();
    }
    [[nodiscard]] bool has_columns_of(const MatrixPart& c) const {
        return !empty() && column0 <= c.column0 && column1 >= c.column1 && columns() <= c.columns();
    }
};

// Returns false if an element lies outside the matrix.
bool add_all(const std::vector<std::uint32_t>& elements, const StoredMatrix& matrix,
             MatrixPart& part) {
    for (const std::uint32_t element : elements) {
        const ElementPlace at = matrix.place_of(element);
        if (!matrix.holds(at)) return false;
        part.add(at);
    }
    return true;
}

// Sorts the elements and removes duplicates.
void tidy(std::vector<std::uint32_t>& elements) {
    std::ranges::sort(elements);
    elements.erase(std::ranges::unique(elements).begin(), elements.end());
}

// Elements of an array, which can be far larger than what is accessed: it takes memory up to the
// last element that is accessed, and a search skips 64 elements at once.
class ElementSet {
  public:
    explicit ElementSet(std::size_t size) : size_(size) {}  // of the array
    [[nodiscard]] std::size_t size() const { return size_; }
    void add(std::size_t at) {
        if (at >= size_) return;
        if (at / 64 >= words_.size()) words_.resize(at / 64 + 1);
        words_[at / 64] |= std::uint64_t{1} << at % 64;
    }
    // The first element from `at` on that is in the set; size() if there is none.
    [[nodiscard]] std::size_t next(std::size_t at) const { return find(at, 0, size_); }
    // The first element from `at` on that is not.
    [[nodiscard]] std::size_t end_of_run(std::size_t at) const {
        return find(at, ~std::uint64_t{0}, std::min(words_.size() * 64, size_));
    }

  private:
    // The first element whose bit differs from those of `others`.
    [[nodiscard]] std::size_t find(std::size_t at, std::uint64_t others, std::size_t none) const {
        std::uint64_t from_here = ~std::uint64_t{0} << at % 64;
        for (std::size_t word = at / 64; word < words_.size(); ++word) {
            const std::uint64_t found = (words_[word] ^ others) & from_here;
            if (found != 0) return word * 64 + std::size_t(std::countr_zero(found));
            from_here = ~std::uint64_t{0};
        }
        return none;
    }

    std::size_t size_;
    std::vector<std::uint64_t> words_;
};

// Some of the recorded blocks: the first, the last and others between.
std::vector<std::uint32_t> some_blocks(const Trace& trace) {
    std::vector<std::uint32_t> all = trace.segments.block;  // ascending
    all.erase(std::ranges::unique(all).begin(), all.end());
    if (all.size() <= kMostBlocks) return all;
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < kMostBlocks; ++i)
        some.push_back(all[i * (all.size() - 1) / (kMostBlocks - 1)]);
    return some;
}

bool contains(const std::vector<SiteId>& sites, SiteId site) {
    return std::ranges::find(sites, site) != sites.end();
}

}  // namespace

std::vector<ArrayUse> uses_of_arrays(const Trace& trace) {
    std::vector<ArrayUse> uses(trace.arrays.size());
    for (const Site& site : trace.sites) {
        if (!is_access(site.operation) || site.array >= uses.size()) continue;
        ArrayUse& here = uses[site.array];
        if (site.operation == Operation::kStore)
            here.stored = true;
        else if (site.operation == Operation::kLoad || site.operation == Operation::kCopyLoad)
            here.loaded = true;
        else
            here.other = true;
    }
    return uses;
}

ProductAccesses::ProductAccesses(const Trace& trace) : trace_(trace) {
    for (const std::uint32_t block : some_blocks(trace)) {
        blocks_.emplace_back();
        const SegmentRange range = segments_of_block(trace, block);
        for (std::size_t segment = range.first; segment < range.last; ++segment)
            add_segment(segment, blocks_.back());
    }
    for (Block& block : blocks_)
        for (auto& [site, elements] : block.elements) tidy(elements);
}

void ProductAccesses::add_segment(std::size_t segment, Block& block) const {
    dcheck(segment < trace_.segments.size());
    constexpr std::size_t kTidyAt = 1u << 18;
    const std::uint64_t end = trace_.segments.record_begin[segment + 1];
    for (std::uint64_t i = trace_.segments.record_begin[segment]; i < end; ++i) {
        const SiteId id = site_of(trace_, i);
        const Site& site = trace_.sites[id];
        const std::uint32_t mask = trace_.patterns[trace_.records.pattern[i]].mask;
        const auto lanes = static_cast<std::uint64_t>(std::popcount(mask));
        if (site.operation == Operation::kMultiplyAdd) block.multiply_adds += lanes;
        if (!is_access(site.operation) || site.array >= trace_.arrays.size() ||
            trace_.arrays[site.array].space != Space::kGlobal)
            continue;
        const std::uint32_t size = type_bytes(trace_.arrays[site.array].type);
        const std::uint32_t count = std::max<std::uint32_t>(site.width_bytes / size, 1);
        if (writes(site.operation)) block.stores[site.array] += lanes * count;
        std::vector<std::uint32_t>& elements = block.elements[id];
        const LaneOffsets offsets = lane_offsets(trace_, i);
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const std::uint32_t first =
                offsets.bytes[static_cast<std::size_t>(std::countr_zero(left))] / size;
            for (std::uint32_t j = 0; j < count; ++j) elements.push_back(first + j);
        }
        std::size_t& tidy_at = block.tidy_at.try_emplace(id, kTidyAt).first->second;
        if (elements.size() < tidy_at) continue;
        tidy(elements);
        tidy_at = std::max(kTidyAt, 2 * elements.size());
    }
}

std::optional<StoredMatrix> ProductAccesses::runs(ArrayId array) const {
    if (trace_.records.size() > kMostRecords) return std::nullopt;
    const std::uint32_t size = type_bytes(trace_.arrays[array].type);
    ElementSet accessed(count_of_numbers(trace_.arrays[array]));
    for (std::size_t i = 0; i < trace_.records.size(); ++i) {
        const Site& site = site_at(trace_, i);
        if (!is_access(site.operation) || site.array != array) continue;
        const LaneOffsets lanes = lane_offsets(trace_, i);
        for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1)
            for (std::uint32_t byte = 0; byte < std::max<std::uint32_t>(site.width_bytes, size);
                 byte += size)
                accessed.add((lanes.bytes[std::countr_zero(left)] + byte) / size);
    }
    const std::size_t length = accessed.end_of_run(0);
    const std::size_t pitch = accessed.next(length);
    if (length == 0 || pitch == accessed.size()) return std::nullopt;
    std::size_t rows = 0;
    for (std::size_t at = 0; at < accessed.size(); at = accessed.next(at + length), ++rows)
        if (at != rows * pitch || accessed.end_of_run(at) != at + length) return std::nullopt;
    return StoredMatrix{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(length),
                        static_cast<std::uint32_t>(pitch), false};
}

std::optional<std::uint32_t> ProductAccesses::first_outside(ArrayId array,
                                                            const StoredMatrix& matrix) const {
    for (const Block& block : blocks_)
        for (const auto& [site, elements] : block.elements)
            if (trace_.sites[site].array == array)
                for (const std::uint32_t element : elements)
                    if (!matrix.holds(matrix.place_of(element))) return element;
    return std::nullopt;
}

bool ProductAccesses::fill(ArrayId array, const StoredMatrix& matrix) const {
    MatrixPart part;
    for (const Block& block : blocks_)
        for (const auto& [site, elements] : block.elements)
            if (trace_.sites[site].array == array && !add_all(elements, matrix, part)) return false;
    return part.row1 == matrix.rows && part.column1 == matrix.columns;
}

// If one array is both factors: finds the sites that load B. Returns false if a site fits neither
// factor, or if no site remains for one of them.
bool ProductAccesses::split_sites(const ProductForm& form, std::vector<SiteId>& of_b) const {
    std::map<SiteId, std::pair<bool, bool>> can_be;  // A, B
    for (const Block& block : blocks_) {
        MatrixPart c;
        for (const auto& [site, elements] : block.elements)
            if (trace_.sites[site].array == form.matrices.c &&
                writes(trace_.sites[site].operation) && !add_all(elements, form.c, c))
                return false;
        if (c.empty()) continue;
        for (const auto& [site, elements] : block.elements) {
            if (trace_.sites[site].array != form.matrices.a) continue;
            MatrixPart a, b;
            if (!add_all(elements, form.a, a) || !add_all(elements, form.b, b)) return false;
            auto& [is_a, is_b] = can_be.try_emplace(site, true, true).first->second;
            is_a = is_a && a.row0 >= c.row0 && a.row1 <= c.row1;
            is_b = is_b && b.column0 >= c.column0 && b.column1 <= c.column1;
        }
    }
    bool has_a = false;
    for (const auto& [site, can] : can_be) {
        if (!can.first && !can.second) return false;
        if (can.first && !can.second) has_a = true;
        if (!can.first) of_b.push_back(site);
    }
    // If the accesses do not decide, the first site in the order of execution loads A.
    for (const auto& [site, can] : can_be) {
        if (!can.first || !can.second) continue;
        if (has_a && of_b.empty())
            of_b.push_back(site);
        else
            has_a = true;
    }
    return has_a && !of_b.empty();
}

ProductAccesses::Fit ProductAccesses::fit(const ProductForm& form) const {
    Fit fit;
    const MatrixProduct& ids = form.matrices;
    if (ids.a == ids.b && !split_sites(form, fit.of_b)) return fit;
    bool any = false;
    std::uint64_t all_stored = 0;
    fit.multiplies_enough = true;
    for (const Block& block : blocks_) {
        MatrixPart a, b, c;
        for (const auto& [id, elements] : block.elements) {
            const Site& site = trace_.sites[id];
            if (site.array == ids.c) {
                if (!writes(site.operation)) continue;
                if (!add_all(elements, form.c, c)) return {};
                all_stored += elements.size();
            } else if (site.array == ids.b && (ids.a != ids.b || contains(fit.of_b, id))) {
                if (!add_all(elements, form.b, b)) return {};
            } else if (site.array == ids.a) {
                if (!add_all(elements, form.a, a)) return {};
            }
        }
        if (c.empty()) continue;
        if (!a.has_rows_of(c) || !b.has_columns_of(c)) return {};
        if (2 * a.columns() < form.k() || 2 * b.rows() < form.k()) return {};
        const auto stores = block.stores.find(ids.c);
        const std::uint64_t stored = stores == block.stores.end() ? 0 : stores->second;
        fit.multiplies_enough =
            fit.multiplies_enough && 2 * block.multiply_adds >= stored * form.k();
        fit.is_conclusive = fit.is_conclusive || (c.rows() < form.m() && c.columns() < form.n());
        any = true;
    }
    fit.holds = any;
    const double blocks =
        double(trace_.launch.blocks()) / double(std::max<std::size_t>(blocks_.size(), 1));
    fit.stores_enough = double(all_stored) * blocks >= double(form.m()) * form.n() / 4;
    return fit;
}

}  // namespace tilereel
