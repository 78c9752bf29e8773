#include "instrumentation/analysis/products/name_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "instrumentation/analysis/products/product_accesses.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

std::string extents_text(const StoredMatrix& matrix) {
    return std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns);
}

// Inserts a copy of an array after it, with the next number. All later arrays move up.
void duplicate_array(Trace& trace, ArrayId id) {
    Array copy = trace.arrays[id];
    copy.name += kSecondFactor;
    trace.arrays.insert(trace.arrays.begin() + id + 1, std::move(copy));
    const auto move_up = [id](ArrayId& array) {
        if (array > id && array < kNoMatrix) ++array;
    };
    for (Site& site : trace.sites) move_up(site.array);
    for (RecordedFinding& finding : trace.findings) move_up(finding.array);
}

// If A and B are one array, B becomes another array with the same content.
ProductForm with_two_factors(Trace& trace, ProductForm form) {
    MatrixProduct& ids = form.matrices;
    if (ids.a != ids.b) return form;
    const std::vector<SiteId> of_b = ProductAccesses(trace).fit(form).of_b;
    duplicate_array(trace, ids.a);
    ids.b = static_cast<ArrayId>(ids.a + 1);
    if (ids.c > ids.a) ++ids.c;
    for (const SiteId site : of_b) trace.sites[site].array = ids.b;
    return form;
}

void shape_array(Array& array, const StoredMatrix& matrix) {
    array.rows = matrix.rows;
    array.columns = matrix.columns;
    array.leading_dimension = matrix.pitch;
    array.by_columns = matrix.by_columns;
    array.outer_extents.clear();
    array.one_extent = false;
    if (array.element_bytes != type_bytes(array.type)) array.type_name.clear();
    array.components.clear();
    array.element_bytes = type_bytes(array.type);
    for (std::vector<std::byte>* content : {&array.first_bytes, &array.last_bytes})
        if (!content->empty()) content->resize(array.size_bytes());
}

// Finds the local variable that gets about K values per thread. Its last value is stored to C.
class SumFinder {
  public:
    explicit SumFinder(const Trace& trace) : trace_(trace) {}

    // The site that adds to the sums; nullopt if none is found.
    [[nodiscard]] std::optional<SiteId> find() {
        for (std::size_t segment = 0; segment < trace_.segments.size(); ++segment) visit(segment);
        std::optional<SiteId> best;
        for (const auto& [site, count] : stored_) {
            const std::uint64_t enough = stores_ * std::max(trace_.launch.k / 2, 1u);
            if (2 * count < stores_ || assignments_[site] < enough) continue;
            if (!best || assignments_[site] > assignments_[*best]) best = site;
        }
        return best;
    }

  private:
    using LaneNumbers = std::array<double, kWarpSize>;

    // Segments of one block come by epoch, then by warp.
    void visit(std::size_t segment) {
        const Segments& segments = trace_.segments;
        if (segments.block[segment] != block_) last_.clear();
        block_ = segments.block[segment];
        std::uint64_t word = segments.value_begin[segment];
        for (const std::uint64_t i : records_of(segments, segment)) {
            if (!has_values(trace_, i)) continue;
            visit(i, word, last_[segments.warp[segment]]);
            word += value_count(trace_, i);
        }
    }

    void visit(std::uint64_t record, std::uint64_t word, std::map<SiteId, LaneNumbers>& last) {
        const SiteId id = site_of(trace_, record);
        const Site& site = trace_.sites[id];
        const bool stores = site.operation == Operation::kStore && site.array == trace_.product->c;
        const bool assigns =
            site.operation == Operation::kAssign && site.local < trace_.locals.size();
        if (!stores && !assigns) return;
        const ElementType type =
            stores ? trace_.arrays[site.array].type : trace_.locals[site.local].type;
        if (type_bytes(type) > site.width_bytes) return;
        std::uint32_t mask = trace_.patterns[trace_.records.pattern[record]].mask;
        for (; mask != 0; mask &= mask - 1, word += site.words()) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
            const double value =
                number_of(type, std::as_bytes(std::span(trace_.words).subspan(word, site.words())));
            if (assigns) {
                ++assignments_[id];
                const auto [entry, fresh] = last.try_emplace(id);
                if (fresh) entry->second.fill(std::nan(""));
                entry->second[lane] = value;
                continue;
            }
            ++stores_;
            for (const auto& [assigned, numbers] : last)
                stored_[assigned] += numbers[lane] == value ? 1 : 0;
        }
    }

    const Trace& trace_;
    std::uint32_t block_ = ~0u;
    std::map<std::uint16_t, std::map<SiteId, LaneNumbers>> last_;  // values, by warp
    std::map<SiteId, std::uint64_t> assignments_, stored_;         // by lanes
    std::uint64_t stores_ = 0;
};

// Turns the assignments of the sum into multiply-adds if the trace has none: only those of
// floating-point sums are recorded (cuda/hooks.h).
void adopt_sums(Trace& trace) {
    const auto is_sum = [](const Site& site) { return site.operation == Operation::kMultiplyAdd; };
    if (std::ranges::any_of(trace.sites, is_sum)) return;
    const std::optional<SiteId> site = SumFinder(trace).find();
    if (!site) return;
    trace.sites[*site].operation = Operation::kMultiplyAdd;
    for (std::size_t i = 0; i < trace.records.size(); ++i)
        if (site_of(trace, i) == *site)
            trace.accumulators = std::max(trace.accumulators, trace.records.base[i] + 1);
}

}  // namespace

FormCheck::FormCheck(const Trace& trace)
    : trace_(trace), accesses_(trace), uses_(uses_of_arrays(trace)) {}

Status FormCheck::check_anew(const char* role, ArrayId id, const StoredMatrix& matrix) const {
    const Array& array = trace_.arrays[id];
    const std::string name = std::string(role) + " (" + array.name + ")";
    if (array.space != Space::kGlobal || array.type == ElementType::kBytes ||
        !array.is_of_one_type())
        return wrong_call(name + " is no array of numbers in global memory; choose another array");
    const std::uint64_t numbers = count_of_numbers(array);
    if (matrix.elements() > numbers)
        return wrong_call(name + " has " + std::to_string(numbers) + " elements, but " +
                          extents_text(matrix) + " needs " + std::to_string(matrix.elements()) +
                          "; give smaller extents");
    if (const auto outside = accesses_.first_outside(id, matrix))
        return wrong_call("the kernel accesses element " + std::to_string(*outside) + " of " +
                          name + ", outside of " + extents_text(matrix) + "; give larger extents");
    if (array.first_bytes.empty() || array.last_bytes.empty())
        return wrong_call(
            "the contents of " + name +
            " were not kept, because it is too large; run the program with smaller matrices");
    return Done{};
}

Status FormCheck::check_matrix(const char* role, ArrayId id, const StoredMatrix& matrix) {
    for (const auto& [array, checked, status] : known_)
        if (array == id && checked == matrix) return status;
    const Status status = check_anew(role, id, matrix);
    known_.emplace_back(id, matrix, status);
    return status;
}

Status FormCheck::check(const ProductForm& form) {
    const MatrixProduct& ids = form.matrices;
    if (!uses_[ids.c].stored)
        return wrong_call("C (" + trace_.arrays[ids.c].name +
                          ") is never stored to; choose the array that the kernel writes");
    TRY(check_matrix("C", ids.c, form.c));
    TRY(check_matrix("A", ids.a, form.a));
    TRY(check_matrix("B", ids.b, form.b));
    if (ids.a == ids.b && accesses_.fit(form).of_b.empty())
        return wrong_call("no line loads " + trace_.arrays[ids.a].name +
                          " as A alone or as B alone; choose two arrays");
    return Done{};
}

void name_product(Trace& trace, const ProductForm& given) {
    const ProductForm form = with_two_factors(trace, given);
    const MatrixProduct& ids = form.matrices;
    shape_array(trace.arrays[ids.a], form.a);
    shape_array(trace.arrays[ids.b], form.b);
    shape_array(trace.arrays[ids.c], form.c);
    trace.launch.m = form.m();
    trace.launch.n = form.n();
    trace.launch.k = form.k();
    trace.product = ids;
    trace.wrong_elements.reset();
    adopt_sums(trace);
}

}  // namespace tilereel
