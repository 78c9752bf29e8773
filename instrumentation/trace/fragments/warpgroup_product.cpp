#include "instrumentation/trace/fragments/warpgroup_product.h"

#include <algorithm>
#include <map>

#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel {
namespace {

struct WarpgroupFamily {
    std::vector<MatrixType> factors, sums;
    int k = 0;
    bool mixes = false, is_integer = false;
};

const std::vector<WarpgroupFamily>& warpgroup_families() {
    using enum MatrixType;
    static const std::vector<WarpgroupFamily> kFamilies = {
        {{kF16}, {kF16, kF32}, 16, false, false}, {{kBf16}, {kF32}, 16, false, false},
        {{kTf32}, {kF32}, 8, false, false},       {{kE4m3, kE5m2}, {kF16, kF32}, 32, true, false},
        {{kS8, kU8}, {kS32}, 32, true, true},     {{kB1}, {kS32}, 256, false, true},
    };
    return kFamilies;
}

bool is_one_of(const std::vector<MatrixType>& types, MatrixType type) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

// Multiples of 8 up to 256; of integers and bits beyond 32 only multiples of 16.
bool has_width(const WarpgroupFamily& family, int n) {
    if (n < 8 || n > 256 || n % 8 != 0) return false;
    return !family.is_integer || n <= 32 || n % 16 == 0;
}

const WarpgroupFamily* family_of_factors(MatrixType a, MatrixType b) {
    for (const WarpgroupFamily& family : warpgroup_families())
        if (is_one_of(family.factors, a) &&
            (a == b || (family.mixes && is_one_of(family.factors, b))))
            return &family;
    return nullptr;
}

}  // namespace

Result<WarpgroupProduct> find_warpgroup_product(std::string_view instruction) {
    const std::vector<std::string_view> parts = parts_of_instruction(instruction);
    if (parts.size() < 2 || parts[0] != "wgmma" || parts[1] != "mma_async")
        return not_taken(instruction, "it is no wgmma.mma_async");
    WarpgroupProduct product;
    std::vector<MatrixType> types;
    bool counts_ones = false;
    for (std::size_t i = 2; i < parts.size(); ++i) {
        const std::string_view part = parts[i];
        if (part == "sync" || part == "aligned") continue;
        if (part.starts_with("sp"))
            return not_taken(instruction,
                             "A is sparse; multiply dense matrices, or run the program with "
                             "--device gpu");
        if (part == "satfinite")
            product.saturates = true;
        else if (part == "and")
            product.bits = BitOperation::kAnd;
        else if (part == "popc")
            counts_ones = true;
        else if (const std::optional<MatrixType> type = matrix_type(part))
            types.push_back(*type);
        else if (const std::optional<MatrixShape> shape = written_shape(part))
            product.shape = *shape;
        else
            return not_taken(instruction, "." + std::string(part) +
                                              " is no part of wgmma.mma_async in PTX ISA 9.0; "
                                              "correct it");
    }
    if (types.size() != 3)
        return not_taken(instruction,
                         "write a shape and the types of D, A and B, as in "
                         "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16");
    product.d = types[0], product.a = types[1], product.b = types[2];
    const WarpgroupFamily* family = family_of_factors(product.a, product.b);
    if (family == nullptr || !is_one_of(family->sums, product.d))
        return not_taken(instruction,
                         "wgmma does not multiply " + std::string(ptx_name(product.a)) + " by " +
                             std::string(ptx_name(product.b)) + " into " +
                             std::string(ptx_name(product.d)) + "; choose other types");
    if (product.shape.m != 64 || product.shape.k != family->k ||
        !has_width(*family, product.shape.n))
        return not_taken(instruction, "the shapes for " + std::string(ptx_name(product.a)) +
                                          " are m64nNk" + std::to_string(family->k) +
                                          ", N from 8 to 256 in steps of 8" +
                                          (family->is_integer ? ", beyond 32 of 16" : ""));
    if (product.saturates && (!family->is_integer || product.a == MatrixType::kB1))
        return not_taken(instruction, "only products of 8-bit integers have .satfinite");
    const bool has_bits = product.bits == BitOperation::kAnd;
    if (has_bits != counts_ones || has_bits != (product.a == MatrixType::kB1))
        return not_taken(instruction,
                         "a product of bits ends in .and.popc, and no other product does");
    return product;
}

std::string instruction_of(const WarpgroupProduct& product) {
    std::string text = "wgmma.mma_async.sync.aligned." + shape_text(product.shape);
    for (const MatrixType type : {product.d, product.a, product.b})
        text.append(".").append(ptx_name(type));
    if (product.saturates) text += ".satfinite";
    if (product.bits == BitOperation::kAnd) text += ".and.popc";
    return text;
}

std::vector<WarpgroupProduct> every_warpgroup_product() {
    std::vector<WarpgroupProduct> all;
    const auto add = [&all](const WarpgroupFamily& family, MatrixType a, MatrixType b) {
        for (const MatrixType d : family.sums)
            for (int n = 8; n <= 256; n += 8) {
                if (!has_width(family, n)) continue;
                WarpgroupProduct product{.shape = {64, n, family.k}, .a = a, .b = b, .d = d};
                if (a == MatrixType::kB1) product.bits = BitOperation::kAnd;
                all.push_back(product);
                if (a != MatrixType::kS8 && a != MatrixType::kU8) continue;
                product.saturates = true;
                all.push_back(product);
            }
    };
    for (const WarpgroupFamily& family : warpgroup_families())
        for (const MatrixType a : family.factors)
            for (const MatrixType b : family.factors)
                if (a == b || family.mixes) add(family, a, b);
    return all;
}

WarpProduct warp_part(const WarpgroupProduct& product) {
    return {.shape = {16, 8, product.shape.k},
            .a = product.a,
            .b = product.b,
            .c = product.d,
            .d = product.d,
            .bits = product.bits,
            .saturates = product.saturates};
}

int elements_of(const WarpgroupProduct& product, MatrixOperand operand) {
    dcheck(operand == MatrixOperand::kA || operand == MatrixOperand::kD);
    const int columns = operand == MatrixOperand::kA ? product.shape.k : product.shape.n;
    return product.shape.m * columns / kWarpgroupThreads;
}

int registers_of(const WarpgroupProduct& product, MatrixOperand operand) {
    const MatrixType type = operand == MatrixOperand::kA ? product.a : product.d;
    return elements_of(product, operand) * element_bits(type) / 32;
}

MatrixElement element_of(const WarpgroupProduct& product, MatrixOperand operand, int thread,
                         int index) {
    dcheck(thread >= 0 && thread < kWarpgroupThreads && index >= 0 &&
           index < elements_of(product, operand));
    const WarpProduct part = warp_part(product);
    const int in_part = elements_of(part, operand), lane = thread % 32;
    MatrixElement element = element_of(part, operand, lane, index % in_part);
    element.row += 16 * (thread / 32);
    element.column += 8 * (index / in_part);
    return element;
}

std::uint32_t WarpgroupProduct::code() const {
    return WarpProduct{
        .shape = shape, .a = a, .b = b, .c = d, .d = d, .bits = bits, .saturates = saturates}
        .code();
}

std::optional<WarpgroupProduct> WarpgroupProduct::of_code(std::uint32_t code) {
    static const auto& known = []() -> const std::map<std::uint32_t, WarpgroupProduct>& {
        auto& made = *new std::map<std::uint32_t, WarpgroupProduct>;
        for (const WarpgroupProduct& product : every_warpgroup_product())
            made.emplace(product.code(), product);
        return made;
    }();
    const auto found = known.find(code);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t flop_of_record(std::uint32_t code) {
    if (const auto product = WarpProduct::of_code(code)) return product->flop();
    const auto product = WarpgroupProduct::of_code(code);
    return product ? product->flop() / 4 : 0;
}

}  // namespace tilereel
