#include "instrumentation/trace/fragments/warp_product.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel {
namespace {

// Types that one instruction takes for A and B, in any combination if they mix. C and D have one
// type of `sums`; only m8n8k4 with f16 also takes C as f16 with D as f32.
struct TypeFamily {
    std::vector<MatrixType> factors, sums;
    bool mixes = false;
    std::vector<MatrixShape> shapes;
};

const std::vector<TypeFamily>& families() {
    using enum MatrixType;
    static const std::vector<TypeFamily> kFamilies = {
        {{kF16}, {kF16, kF32}, false, {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}}},
        {{kBf16}, {kF32}, false, {{16, 8, 8}, {16, 8, 16}}},
        {{kTf32}, {kF32}, false, {{16, 8, 4}, {16, 8, 8}}},
        {{kF64}, {kF64}, false, {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}}},
        {{kE4m3, kE5m2}, {kF16, kF32}, true, {{16, 8, 16}, {16, 8, 32}}},
        {{kS8, kU8}, {kS32}, true, {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}},
        {{kS4, kU4}, {kS32}, true, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}},
        {{kB1}, {kS32}, false, {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}},
    };
    return kFamilies;
}

template <class Values, class Value>
bool holds(const Values& values, const Value& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

std::string_view order_text(MatrixOrder order) {
    return order == MatrixOrder::kRowMajor ? "row" : "col";
}

bool has_orders(const WarpProduct& product) {
    return product.a == MatrixType::kF16 && product.shape == MatrixShape{8, 8, 4};
}
bool may_saturate(MatrixType factor) {
    using enum MatrixType;
    return factor == kS8 || factor == kU8 || factor == kS4 || factor == kU4;
}

// What an instruction says, before it is known whether there is such a product.
struct ReadInstruction {
    WarpProduct product;
    std::vector<MatrixType> types;  // D, A, B, C
    std::vector<MatrixOrder> orders;
    bool has_shape = false, counts_ones = false;
};

// Takes one part into `read`. Returns false if it is none that a dense product has.
bool take_part(std::string_view part, ReadInstruction& read) {
    WarpProduct& product = read.product;
    if (part == "sync" || part == "aligned" || part == "rn") return true;
    if (part == "row" || part == "col") {
        read.orders.push_back(part == "row" ? MatrixOrder::kRowMajor : MatrixOrder::kColumnMajor);
    } else if (part == "satfinite") {
        product.saturates = true;
    } else if (part == "xor" || part == "and") {
        product.bits = part == "xor" ? BitOperation::kXor : BitOperation::kAnd;
    } else if (part == "popc") {
        read.counts_ones = true;
    } else if (const std::optional<MatrixType> type = matrix_type(part)) {
        read.types.push_back(*type);
    } else if (const std::optional<MatrixShape> shape = written_shape(part)) {
        product.shape = *shape;
        read.has_shape = true;
    } else {
        return false;
    }
    return true;
}

// Why a part is none of a dense product's.
std::string reason_of(std::string_view part) {
    if (part.starts_with("sp"))
        return "A is sparse; multiply dense matrices with mma.sync, or run the program with "
               "--device gpu";
    if (part.starts_with("kind::") || part.starts_with("block_scale") ||
        part.starts_with("scale_vec"))
        return "it needs compute capability 12.0; write what the program does for 9.0";
    if (part == "rz" || part == "rm" || part == "rp")
        return "sums are rounded to nearest only; leave out ." + std::string(part);
    return "." + std::string(part) + " is no part of mma.sync in PTX ISA 9.0; correct it";
}

// The family of the factors, or nullptr.
const TypeFamily* family_of(MatrixType a, MatrixType b) {
    for (const TypeFamily& family : families())
        if (holds(family.factors, a) && (a == b || (family.mixes && holds(family.factors, b))))
            return &family;
    return nullptr;
}

std::string shapes_text(const TypeFamily& family) {
    std::string text;
    for (const MatrixShape& shape : family.shapes)
        text += (text.empty() ? "" : ", ") + shape_text(shape);
    return text;
}

bool sums_fit(const TypeFamily& family, const WarpProduct& product) {
    if (!holds(family.sums, product.c) || !holds(family.sums, product.d)) return false;
    return product.c == product.d || (has_orders(product) && product.d == MatrixType::kF32);
}

}  // namespace

MatrixType WarpProduct::type(MatrixOperand operand) const {
    switch (operand) {
        case MatrixOperand::kA:
            return a;
        case MatrixOperand::kB:
            return b;
        case MatrixOperand::kC:
            return c;
        default:
            return d;
    }
}

int WarpProduct::count() const { return has_orders(*this) ? 4 : 1; }

std::uint32_t WarpProduct::code() const {
    std::uint32_t code = 0, at = 0;
    const auto add = [&](auto value, std::uint32_t width) {
        code |= static_cast<std::uint32_t>(value) << at;
        at += width;
    };
    const auto logarithm = [](int value) {
        return std::countr_zero(static_cast<std::uint32_t>(value));
    };
    for (const MatrixType type : {a, b, c, d}) add(type, 4);
    add(logarithm(shape.m / 8), 2);
    add(shape.n / 8 - 1, 5);
    add(logarithm(shape.k), 4);
    add(a_order, 1);
    add(b_order, 1);
    add(bits, 2);
    add(saturates, 1);
    return code;
}

std::optional<WarpProduct> WarpProduct::of_code(std::uint32_t code) {
    static const auto& known = []() -> const std::map<std::uint32_t, WarpProduct>& {
        auto& made = *new std::map<std::uint32_t, WarpProduct>;
        for (const WarpProduct& product : every_warp_product())
            made.emplace(product.code(), product);
        return made;
    }();
    const auto found = known.find(code);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t WarpProduct::flop() const {
    return std::int64_t{2} * shape.m * shape.n * shape.k * count();
}

Result<WarpProduct> find_warp_product(std::string_view instruction) {
    const std::vector<std::string_view> parts = parts_of_instruction(instruction);
    if (parts.front() != "mma") return not_taken(instruction, "it is no mma.sync");
    ReadInstruction read;
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (!take_part(parts[i], read)) return not_taken(instruction, reason_of(parts[i]));
    WarpProduct& product = read.product;
    if (!read.has_shape || read.types.size() != 4 || read.orders.size() != 2)
        return not_taken(instruction,
                         "write a shape, two layouts and four types, as in "
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    product.d = read.types[0], product.a = read.types[1];
    product.b = read.types[2], product.c = read.types[3];
    product.a_order = read.orders[0], product.b_order = read.orders[1];

    const TypeFamily* family = family_of(product.a, product.b);
    if (family == nullptr)
        return not_taken(instruction,
                         "no tensor core multiplies " + std::string(ptx_name(product.a)) + " by " +
                             std::string(ptx_name(product.b)) + "; convert one of them");
    if (!holds(family->shapes, product.shape))
        return not_taken(instruction, "the shapes for " + std::string(ptx_name(product.a)) +
                                          " are " + shapes_text(*family));
    if (!sums_fit(*family, product))
        return not_taken(
            instruction,
            "C and D must have one type: " + std::string(ptx_name(family->sums.front())) +
                (family->sums.size() == 1 ? ""
                                          : " or " + std::string(ptx_name(family->sums.back()))));
    const bool is_standard =
        product.a_order == MatrixOrder::kRowMajor && product.b_order == MatrixOrder::kColumnMajor;
    if (!is_standard && !has_orders(product))
        return not_taken(instruction, "write .row.col; only m8n8k4 with f16 has other layouts");
    if (product.saturates && !may_saturate(product.a))
        return not_taken(instruction, "only products of 8-bit and 4-bit integers have .satfinite");
    const bool has_bits = product.bits != BitOperation::kNone;
    if (has_bits != read.counts_ones || has_bits != (product.a == MatrixType::kB1))
        return not_taken(instruction,
                         "a product of bits ends in .xor.popc or .and.popc, and no "
                         "other product does");
    return product;
}

std::string instruction_of(const WarpProduct& product) {
    std::string text = "mma.sync.aligned." + shape_text(product.shape);
    const auto append = [&text](std::string_view part) { text.append(".").append(part); };
    append(order_text(product.a_order)), append(order_text(product.b_order));
    if (product.saturates) append("satfinite");
    for (const MatrixType type : {product.d, product.a, product.b, product.c})
        append(ptx_name(type));
    if (product.bits != BitOperation::kNone)
        append(product.bits == BitOperation::kXor ? "xor.popc" : "and.popc");
    return text;
}

std::vector<WarpProduct> every_warp_product() {
    std::vector<WarpProduct> all;
    const auto add_variants = [&all](const TypeFamily& family, WarpProduct product) {
        if (!sums_fit(family, product)) return;
        std::vector<WarpProduct> variants = {product};
        const auto add = [&variants](auto change) {
            for (std::size_t i = 0, count = variants.size(); i < count; ++i) {
                WarpProduct changed = variants[i];
                change(changed);
                variants.push_back(changed);
            }
        };
        if (has_orders(product)) {
            add([](WarpProduct& each) { each.a_order = MatrixOrder::kColumnMajor; });
            add([](WarpProduct& each) { each.b_order = MatrixOrder::kRowMajor; });
        }
        if (may_saturate(product.a)) add([](WarpProduct& each) { each.saturates = true; });
        if (product.a == MatrixType::kB1) {
            variants.front().bits = BitOperation::kXor;
            add([](WarpProduct& each) { each.bits = BitOperation::kAnd; });
        }
        all.insert(all.end(), variants.begin(), variants.end());
    };
    for (const TypeFamily& family : families())
        for (const MatrixShape& shape : family.shapes)
            for (const MatrixType a : family.factors)
                for (const MatrixType b : family.factors)
                    for (const MatrixType c : family.sums)
                        for (const MatrixType d : family.sums)
                            if (a == b || family.mixes)
                                add_variants(family,
                                             {.shape = shape, .a = a, .b = b, .c = c, .d = d});
    return all;
}

}  // namespace tilereel
