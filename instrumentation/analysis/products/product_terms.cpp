#include "instrumentation/analysis/products/product_terms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostThreads = 64;

// The sums of a thread, and the elements to which it stores them.
struct ThreadTerms {
    std::set<std::uint32_t> sums;    // accumulators
    std::set<std::uint32_t> stored;  // elements of the array of C
    std::vector<double> sum_after;   // the sum after each multiply-add
    [[nodiscard]] bool has_one_sum() const { return sums.size() == 1 && stored.size() == 1; }
};

class TermCheck {
  public:
    TermCheck(const Trace& trace, const ProductForm& form)
        : trace_(trace),
          form_(form),
          a_(matrix_values(trace, form.matrices.a, form.a, false)),
          b_(matrix_values(trace, form.matrices.b, form.b, false)) {}

    bool run() {
        if (trace_.accumulator_interval != 1 || trace_.segments.size() == 0 || a_.empty() ||
            b_.empty())
            return true;
        const std::uint32_t block = trace_.segments.block[trace_.segments.size() / 2];
        const SegmentRange range = segments_of_block(trace_, block);
        for (std::size_t segment = range.first; segment < range.last; ++segment) visit(segment);
        std::size_t judged = 0;
        for (const auto& [thread, terms] : threads_)
            if (terms.has_one_sum() && judged++ < kMostThreads) judge(terms);
        if (all_ == 0) return true;
        return 2 * own_ >= all_ || (varied_ && 4 * any_ >= 3 * all_);
    }

  private:
    void visit(std::size_t segment) {
        std::uint64_t word = trace_.segments.value_begin[segment];
        const std::uint32_t first = std::uint32_t{trace_.segments.warp[segment]} * kWarpSize;
        for (const std::uint64_t i : records_of(trace_.segments, segment)) {
            const Site& site = site_at(trace_, i);
            const std::uint64_t values = word;
            const bool kept = has_values(trace_, i);
            if (kept) word += value_count(trace_, i);
            const bool adds = site.operation == Operation::kMultiplyAdd;
            const bool stores = writes(site.operation) && site.array == form_.matrices.c;
            if (!adds && !stores) continue;
            const LaneOffsets lanes = lane_offsets(trace_, i);
            std::uint64_t at = values;
            for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1, at += site.words()) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                ThreadTerms& terms = threads_[first + lane];
                if (stores) {
                    terms.stored.insert(lanes.bytes[lane] /
                                        type_bytes(trace_.arrays[site.array].type));
                    continue;
                }
                // alpha sum + beta C is a multiply-add, too, but not into a named local.
                if (site.local == kNoLocal || !kept) continue;
                terms.sums.insert(lanes.bytes[lane]);
                const ElementType type = trace_.locals[site.local].type;
                if (type_bytes(type) > site.width_bytes) continue;
                terms.sum_after.push_back(number_of(
                    type, std::as_bytes(std::span(trace_.words).subspan(at, site.words()))));
            }
        }
    }

    void judge(const ThreadTerms& terms) {
        const ElementPlace at = form_.c.place_of(*terms.stored.begin());
        if (!form_.c.holds(at)) return;
        const std::size_t k = form_.k(), n = form_.n();
        std::vector<double> own, any;
        for (std::size_t x = 0; x < k; ++x)
            own.push_back(a_[at.row * k + x] * b_[x * n + at.column]);
        constexpr std::size_t kMostOthers = 64;
        for (std::size_t x = 0; x < std::min(k, kMostOthers); ++x)
            for (std::size_t y = 0; y < std::min(k, kMostOthers); ++y)
                any.push_back(a_[at.row * k + x] * b_[y * n + at.column]);
        std::ranges::sort(own);
        std::ranges::sort(any);
        const auto all_of_any = any.size();
        std::vector<double> distinct = any;
        distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
        varied_ = varied_ || 4 * distinct.size() >= all_of_any;
        double before = 0;
        for (const double after : terms.sum_after) {
            const double term = after - before;
            const double error = 0x1p-21 * std::max(std::abs(after), std::abs(before));
            before = after;
            // Memory that was never written is NaN.
            if (term == 0 || !std::isfinite(term)) continue;
            ++all_;
            if (const auto found = near(own, term, error); found != own.end()) {
                ++own_;
                own.erase(found);
            }
            any_ += near(any, term, error) != any.end();
        }
    }

    static std::vector<double>::iterator near(std::vector<double>& sorted, double value,
                                              double error) {
        const auto found = std::ranges::lower_bound(sorted, value - error);
        return found != sorted.end() && *found <= value + error ? found : sorted.end();
    }

    const Trace& trace_;
    const ProductForm& form_;
    std::vector<double> a_, b_;
    std::map<std::uint32_t, ThreadTerms> threads_;
    std::size_t all_ = 0, own_ = 0, any_ = 0;
    bool varied_ = false;  // with few distinct values, nearly any number is a product of two
};

}  // namespace

bool adds_terms_of(const Trace& trace, const ProductForm& form) {
    return TermCheck(trace, form).run();
}

}  // namespace tilereel
