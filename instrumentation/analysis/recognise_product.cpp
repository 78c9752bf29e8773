#include "instrumentation/analysis/recognise_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

namespace tilereel {
namespace {

constexpr std::uint32_t kLargestExtent = 1u << 14;
constexpr std::size_t kSamples = 96;     // elements of C that are computed anew
constexpr std::size_t kMostBlocks = 16;  // whose accesses are looked at
constexpr double kEnoughRight = 0.25;    // of the samples
constexpr double kTolerance = 1e-3;      // relative, of a sum of floats in any order

struct Uses {
    bool loaded = false, stored = false, other = false;  // other: atomics, copies
};

std::vector<Uses> uses_of(const Trace& trace) {
    std::vector<Uses> uses(trace.arrays.size());
    for (const Site& site : trace.sites) {
        if (!is_access(site.operation) || site.array >= uses.size()) continue;
        Uses& here = uses[site.array];
        if (site.operation == Operation::kStore)
            here.stored = true;
        else if (site.operation == Operation::kLoad || site.operation == Operation::kCopyLoad)
            here.loaded = true;
        else
            here.other = true;
    }
    return uses;
}

bool is_float_array(const Array& array) {
    return array.space == Space::kGlobal && array.type == ElementType::kFloat32 &&
           array.element_bytes == sizeof(float) && array.leading_dimension == array.columns;
}

std::uint64_t elements_of(const Array& array) { return array.size_bytes() / sizeof(float); }

// The whole root of a / b * c; 0: there is none.
std::uint32_t extent_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const double root = std::round(
        std::sqrt(static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(c)));
    return root >= 1 && root <= kLargestExtent ? static_cast<std::uint32_t>(root) : 0;
}

// A rectangle of a matrix, half-open.
struct Part {
    std::uint64_t row0 = ~std::uint64_t{0}, row1 = 0, column0 = ~std::uint64_t{0}, column1 = 0;
    [[nodiscard]] bool empty() const { return row0 >= row1; }
    void add(std::uint64_t row, std::uint64_t column) {
        row0 = std::min(row0, row), row1 = std::max(row1, row + 1);
        column0 = std::min(column0, column), column1 = std::max(column1, column + 1);
    }
};

class Candidate {
  public:
    Candidate(const Trace& trace, MatrixProduct ids) : trace_(trace) {
        product_.matrices = ids;
        const std::uint64_t a = elements_of(trace.arrays[ids.a]);
        const std::uint64_t b = elements_of(trace.arrays[ids.b]);
        const std::uint64_t c = elements_of(trace.arrays[ids.c]);
        product_.m = extent_of(a, c, b);
        product_.n = extent_of(b, c, a);
        product_.k = extent_of(a, b, c);
        const auto size = [](std::uint64_t rows, std::uint32_t columns) { return rows * columns; };
        fits_ = size(product_.m, product_.k) == a && size(product_.k, product_.n) == b &&
                size(product_.m, product_.n) == c && product_.m > 1 && product_.n > 1 &&
                product_.k > 1;
    }

    [[nodiscard]] const RecognisedProduct& product() const { return product_; }

    [[nodiscard]] bool holds() {
        if (!fits_ || !read_contents()) return false;
        if (!blocks_fit()) return false;
        compare();
        if (right_ >= kEnoughRight * static_cast<double>(samples_.size())) return true;
        return multiplies_enough_ && tells_apart_ && !is_another_product();
    }

  private:
    bool read_contents() {
        const auto read = [&](ArrayId id, bool last, std::vector<float>& to) {
            const auto bytes = last ? last_content(trace_, id) : first_content(trace_, id);
            if (bytes.size() != trace_.arrays[id].size_bytes()) return false;
            to.resize(bytes.size() / sizeof(float));
            std::memcpy(to.data(), bytes.data(), bytes.size());
            return true;
        };
        const auto finite = [](const std::vector<float>& values) {
            return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
        };
        const MatrixProduct& ids = product_.matrices;
        static_cast<void>(read(ids.c, false, before_));
        return read(ids.a, false, a_) && read(ids.b, false, b_) && read(ids.c, true, c_) &&
               finite(a_) && finite(b_);
    }

    struct BlockParts {
        Part a, b, c;
        std::uint64_t multiply_adds = 0, stores = 0;
    };

    void add_segment(std::size_t segment, BlockParts& parts) const {
        const MatrixProduct& ids = product_.matrices;
        const std::uint64_t end = trace_.segments.record_begin[segment + 1];
        for (std::uint64_t i = trace_.segments.record_begin[segment]; i < end; ++i) {
            const Site& site = trace_.sites[site_of(trace_, i)];
            const auto lanes = static_cast<std::uint64_t>(
                std::popcount(trace_.patterns[trace_.records.pattern[i]].mask));
            if (site.operation == Operation::kMultiplyAdd) parts.multiply_adds += lanes;
            if (!is_access(site.operation)) continue;
            if (site.array != ids.a && site.array != ids.b && site.array != ids.c) continue;
            Part& part = site.array == ids.a ? parts.a : site.array == ids.b ? parts.b : parts.c;
            const std::uint64_t columns = site.array == ids.a ? product_.k : product_.n;
            const std::uint64_t words = std::max<std::uint64_t>(site.width_bytes / 4, 1);
            if (site.array == ids.c) parts.stores += lanes * words;
            const LaneOffsets offsets = lane_offsets(trace_, i);
            for (std::uint32_t mask = offsets.mask; mask != 0; mask &= mask - 1) {
                const std::uint64_t first =
                    offsets.bytes[static_cast<std::size_t>(std::countr_zero(mask))] / 4;
                for (std::uint64_t word = first; word < first + words; ++word)
                    part.add(word / columns, word % columns);
            }
        }
    }

    // Each block loads of A the rows, and of B the columns, of its part of C, and of both at least
    // half of the k.
    [[nodiscard]] bool blocks_fit() {
        std::map<std::uint32_t, BlockParts> blocks;
        for (std::size_t segment = 0; segment < trace_.segments.size(); ++segment) {
            const std::uint32_t block = trace_.segments.block[segment];
            if (!blocks.contains(block) && blocks.size() >= kMostBlocks) break;
            add_segment(segment, blocks[block]);
        }
        bool any = false;
        multiplies_enough_ = true;
        for (const auto& [number, parts] : blocks) {
            if (parts.c.empty()) continue;
            const Part &a = parts.a, &b = parts.b, &c = parts.c;
            if (a.empty() || b.empty()) return false;
            if (a.row0 > c.row0 || a.row1 < c.row1 || b.column0 > c.column0 ||
                b.column1 < c.column1)
                return false;
            const bool of_rows = a.row1 - a.row0 <= c.row1 - c.row0;
            const bool of_columns = b.column1 - b.column0 <= c.column1 - c.column0;
            if (!of_rows || !of_columns) return false;
            if (2 * (a.column1 - a.column0) < product_.k || 2 * (b.row1 - b.row0) < product_.k)
                return false;
            multiplies_enough_ =
                multiplies_enough_ && 2 * parts.multiply_adds >= parts.stores * product_.k;
            tells_apart_ = tells_apart_ ||
                           (c.row1 - c.row0 < product_.m && c.column1 - c.column0 < product_.n);
            any = true;
        }
        return any;
    }

    [[nodiscard]] double a_at(std::size_t row, std::size_t k, bool turned) const {
        return static_cast<double>(turned ? a_[k * product_.m + row] : a_[row * product_.k + k]);
    }
    [[nodiscard]] double b_at(std::size_t k, std::size_t column, bool turned) const {
        return static_cast<double>(turned ? b_[column * product_.k + k]
                                          : b_[k * product_.n + column]);
    }
    struct Sum {
        double value = 0, size = 0;  // size: of the products without their signs
    };
    [[nodiscard]] Sum sum_at(std::size_t element, bool turned_a, bool turned_b) const {
        Sum sum;
        for (std::size_t k = 0; k < product_.k; ++k) {
            const double product =
                a_at(element / product_.n, k, turned_a) * b_at(k, element % product_.n, turned_b);
            sum.value += product;
            sum.size += std::abs(product);
        }
        return sum;
    }
    [[nodiscard]] bool same(std::size_t element, const Sum& sum) const {
        const auto found = static_cast<double>(c_[element]);
        // An element that is nought on both sides says nothing.
        return sum.size > 0 && std::abs(found - sum.value) <= kTolerance * sum.size;
    }

    void compare() {
        const std::size_t apart = std::max<std::size_t>(c_.size() / kSamples, 1);
        // Neighbouring samples lie in other rows and columns.
        for (std::size_t i = 0; i < std::min(kSamples, c_.size()); ++i)
            samples_.push_back((i * apart + i * 7) % c_.size());
        for (const std::size_t element : samples_)
            right_ += same(element, sum_at(element, false, false)) ? 1 : 0;
    }

    // A transposed factor; or alpha * A B + beta * C.
    [[nodiscard]] bool is_another_product() const {
        for (const auto& [turned_a, turned_b] :
             {std::pair(false, true), std::pair(true, false), std::pair(true, true)}) {
            std::size_t right = 0;
            for (const std::size_t element : samples_)
                right += same(element, sum_at(element, turned_a, turned_b)) ? 1 : 0;
            if (static_cast<double>(right) >= kEnoughRight * static_cast<double>(samples_.size()))
                return true;
        }
        return is_scaled();
    }

    // Least squares for alpha and beta; nothing is left over where C is such a sum.
    [[nodiscard]] bool is_scaled() const {
        double pp = 0, pq = 0, qq = 0, pc = 0, qc = 0, cc = 0;
        for (const std::size_t element : samples_) {
            const double p = sum_at(element, false, false).value;
            const double q = before_.empty() ? 0 : static_cast<double>(before_[element]);
            const auto c = static_cast<double>(c_[element]);
            pp += p * p, pq += p * q, qq += q * q, pc += p * c, qc += q * c, cc += c * c;
        }
        const double determinant = pp * qq - pq * pq;
        double alpha = pp > 0 ? pc / pp : 0, beta = 0;
        if (determinant > 1e-9 * pp * qq && qq > 0) {
            alpha = (pc * qq - qc * pq) / determinant;
            beta = (qc * pp - pc * pq) / determinant;
        }
        if (alpha == 0) return false;
        const double left = cc - 2 * (alpha * pc + beta * qc) + alpha * alpha * pp +
                            2 * alpha * beta * pq + beta * beta * qq;
        return left <= kTolerance * kTolerance * cc;
    }

    const Trace& trace_;
    RecognisedProduct product_;
    bool fits_ = false, multiplies_enough_ = false, tells_apart_ = false;
    std::vector<float> a_, b_, c_, before_;
    std::vector<std::size_t> samples_;
    double right_ = 0;
};

}  // namespace

std::optional<RecognisedProduct> recognise_product(const Trace& trace) {
    if (trace.product) return std::nullopt;  // it says so itself
    const std::vector<Uses> uses = uses_of(trace);
    std::vector<ArrayId> inputs, outputs;
    for (ArrayId id = 0; id < trace.arrays.size(); ++id) {
        if (!is_float_array(trace.arrays[id]) || uses[id].other) continue;
        if (uses[id].stored) outputs.push_back(id);
        if (uses[id].loaded && !uses[id].stored) inputs.push_back(id);
    }
    constexpr std::size_t kMostArrays = 6;
    if (inputs.size() > kMostArrays || outputs.size() > kMostArrays) return std::nullopt;
    for (const ArrayId c : outputs)
        for (const ArrayId a : inputs)
            for (const ArrayId b : inputs) {
                if (a == b) continue;
                if (Candidate candidate(trace, {a, b, c}); candidate.holds())
                    return candidate.product();
            }
    return std::nullopt;
}

void name_product(Trace& trace, const RecognisedProduct& product) {
    const auto take = [&](ArrayId id, std::uint32_t rows, std::uint32_t columns, bool last,
                          std::vector<float>& to) {
        Array& array = trace.arrays[id];
        const auto bytes = last ? last_content(trace, id) : first_content(trace, id);
        to.resize(bytes.size() / sizeof(float));
        std::memcpy(to.data(), bytes.data(), bytes.size());
        array.rows = rows;
        array.columns = array.leading_dimension = columns;
        array.outer_extents.clear();
        array.one_extent = false;
    };
    const MatrixProduct& ids = product.matrices;
    std::vector<float> before;
    take(ids.a, product.m, product.k, false, trace.a);
    take(ids.b, product.k, product.n, false, trace.b);
    take(ids.c, product.m, product.n, false, before);
    take(ids.c, product.m, product.n, true, trace.c);
    for (const ArrayId id : {ids.a, ids.b, ids.c}) {
        trace.arrays[id].first_bytes.clear();
        trace.arrays[id].last_bytes.clear();
    }
    const bool zeros = std::ranges::all_of(before, [](float value) { return value == 0; });
    if (!zeros) trace.c_before = std::move(before);
    trace.launch.m = product.m;
    trace.launch.n = product.n;
    trace.launch.k = product.k;
    trace.product = ids;
    trace.wrong_elements.reset();
}

}  // namespace tilereel
