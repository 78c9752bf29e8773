#include "instrumentation/analysis/products/mixed_fragments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "instrumentation/analysis/products/fragment_sums.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/product_reference.h"
#include "instrumentation/analysis/products/recognise_product.h"

namespace tilereel {
namespace {

using Register = FragmentProduct::Register;
using enum FragmentChange;

struct Change {
    FragmentChange a, b;
};
// The likeliest first.
constexpr std::array kChanges = std::to_array<Change>({{kNone, kTransposed},
                                                       {kTransposed, kNone},
                                                       {kTransposed, kTransposed},
                                                       {kExchanged, kNone},
                                                       {kNone, kExchanged},
                                                       {kTile, kNone},
                                                       {kNone, kTile},
                                                       {kTile, kTile},
                                                       {kExchanged, kExchanged}});

// A register holds an 8 x 8 matrix: lane 4 g + t has elements 2 t and 2 t + 1 of row g.
Register transposed(const Register& from) {
    Register to{};
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        for (std::size_t half = 0; half < 2; ++half) {
            const std::size_t row = lane / 4, column = lane % 4 * 2 + half;
            const std::uint32_t element =
                from[column * 4 + row / 2] >> (row % 2 == 0 ? 0 : 16) & 0xffff;
            to[lane] |= element << (half == 0 ? 0 : 16);
        }
    return to;
}
void transpose_all(std::vector<Register>& registers) {
    for (Register& each : registers) each = transposed(each);
}

void change_a(std::vector<Register>& a, FragmentChange change) {
    if (change == kTransposed || change == kTile) transpose_all(a);
    if ((change == kExchanged || change == kTile) && a.size() == 4) std::swap(a[1], a[2]);
}

// B of 16 x 16 is B of two products side by side with the same A: registers (k half, n half).
void change_b(FragmentProduct& left, FragmentProduct* right, FragmentChange change) {
    for (FragmentProduct* const each : {&left, right})
        if (each != nullptr && (change == kTransposed || change == kTile)) transpose_all(each->b);
    if (change != kExchanged && change != kTile) return;
    if (right != nullptr && left.b.size() == 2 && right->b.size() == 2)
        std::swap(left.b[1], right->b[0]);
    else if (left.b.size() == 2 && change == kExchanged)
        std::swap(left.b[0], left.b[1]);
}

std::vector<FragmentProduct> changed(std::vector<FragmentProduct> products, const Change& change) {
    for (std::size_t i = 0; i < products.size();) {
        const bool is_pair = i + 1 < products.size() && products[i].a == products[i + 1].a &&
                             products[i].segment == products[i + 1].segment;
        change_b(products[i], is_pair ? &products[i + 1] : nullptr, change.b);
        i += is_pair ? 2 : 1;
    }
    for (FragmentProduct& product : products) change_a(product.a, change.a);
    return products;
}

// The trace with the sums in C that the changed products give.
Trace with_sums(const Trace& trace, const FragmentSums& sums,
                const std::vector<FragmentProduct>& products) {
    std::vector<std::vector<double>> of(products.size());
    for (std::size_t i = 0; i < products.size(); ++i) {
        of[i] = multiplied(products[i]);
        if (const auto former = products[i].adds_to)
            for (std::size_t j = 0; j < of[i].size(); ++j) of[i][j] += of[*former][j];
    }
    Trace made = trace;
    for (const StoredSum& stored : sums.stored) {
        std::vector<std::byte>& content = made.arrays[stored.array].last_bytes;
        const auto elements = of[stored.product].size() / kWarpSize;
        const auto value = static_cast<float>(
            of[stored.product][stored.lane * elements + static_cast<std::size_t>(stored.index)]);
        if (stored.offset_bytes + sizeof value <= content.size())
            std::memcpy(content.data() + stored.offset_bytes, &value, sizeof value);
    }
    return made;
}

// Whether C is A times B, in every element. `by_rows`: of row-major matrices.
bool is_right(Trace& trace, bool by_rows) {
    if (!trace.product) {
        const auto form = recognise_product(trace);
        if (!form) return false;
        if (by_rows && (form->a.by_columns || form->b.by_columns || form->c.by_columns))
            return false;
        name_product(trace, *form);
    }
    return wrong_product_elements(trace).empty();
}
bool is_right_as_it_is(const Trace& trace) {
    if (trace.product) return wrong_product_elements(trace).empty();
    Trace same = trace;
    return is_right(same, false);
}

bool has_products(const Trace& trace) {
    return std::ranges::any_of(
        trace.sites, [](const Site& site) { return site.operation == Operation::kMatrixProduct; });
}

std::string text_of_change(FragmentChange change, const std::string& name) {
    switch (change) {
        case kTransposed:
            return "the 8 x 8 matrices of " + name + " were transposed";
        case kExchanged:
            return "the two 8 x 8 matrices beside the diagonal of each fragment of " + name +
                   " changed places";
        case kTile:
            return "the fragments of " + name + " were transposed";
        default:
            return "";
    }
}

}  // namespace

std::string MixedFragments::text_of(std::uint32_t code) {
    const std::string a = text_of_change(static_cast<FragmentChange>(code / 4), "A"),
                      b = text_of_change(static_cast<FragmentChange>(code % 4), "B");
    return a + (a.empty() || b.empty() ? "" : " and ") + b;
}

std::optional<MixedFragments> find_mixed_fragments(const Trace& trace) {
    if (!trace.complete || !trace.chosen_blocks.empty() || !has_products(trace))
        return std::nullopt;
    const FragmentSums sums = fragment_sums(trace);
    if (sums.products.empty() || sums.stored.empty()) return std::nullopt;
    if (is_right_as_it_is(trace)) return std::nullopt;
    if (Trace same = with_sums(trace, sums, sums.products); is_right(same, false))
        return std::nullopt;
    // Of square matrices, a row-major reading and a column-major one can both fit.
    for (const bool by_rows : {true, false})
        for (const Change& change : kChanges) {
            Trace other = with_sums(trace, sums, changed(sums.products, change));
            if (!is_right(other, by_rows)) continue;
            const FragmentProduct& first = sums.products.front();
            const Segments& segments = trace.segments;
            return MixedFragments{first.record,
                                  segments.block[first.segment],
                                  segments.epoch[first.segment],
                                  segments.warp[first.segment],
                                  change.a,
                                  change.b};
        }
    return std::nullopt;
}

}  // namespace tilereel
