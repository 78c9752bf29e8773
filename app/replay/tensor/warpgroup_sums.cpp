#include "app/replay/tensor/warpgroup_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumentation/trace/fragments/matrix_value.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {
namespace {

constexpr int kRowsOfWarp = 16;

// The element of a matrix at `address`; nullopt if its piece was not read.
std::optional<double> value_at(const FactorPieces& pieces, MatrixType type, std::uint32_t address) {
    const auto piece = pieces.bytes.find(address / kMatrixPieceBytes * kMatrixPieceBytes);
    if (piece == pieces.bytes.end()) return std::nullopt;
    const std::uint32_t word = piece->second[address % kMatrixPieceBytes / 4];
    return matrix_value(type, std::uint64_t{word} >> 8 * (address % 4));
}

// All elements of A or B: [x * k + at_k], x being the row of A or the column of B.
std::vector<double> factor(const FactorPieces& pieces, std::uint64_t descriptor,
                           MajorDimension major, MatrixType type, int extent, int k) {
    const MatrixDescriptor of = matrix_descriptor(descriptor);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(extent * k));
    for (int x = 0; x < extent; ++x)
        for (int at_k = 0; at_k < k; ++at_k) {
            const auto value =
                value_at(pieces, type, element_address(of, major, element_bits(type), x, at_k));
            if (!value) return {};
            values.push_back(*value);
        }
    return values;
}

double half_of(std::uint32_t word, MatrixType type, int half) {
    return matrix_value(type, word >> 16 * half & 0xffff);
}

bool is_near(double stored, double sum, double precision) {
    return std::abs(stored - sum) <= precision * std::max(1.0, std::abs(sum));
}

// How a stored word holds sums: one of 32 bits, or two of 16 bits.
enum class Packing : std::uint8_t { kWhole, kBf16, kF16 };

}  // namespace

std::vector<float> multiplied(const WarpgroupProduct& product, const WarpgroupOperands& operands,
                              const FactorPieces& pieces) {
    const auto [m, n, k] = product.shape;
    if (!pieces.is_known || operands.a_in_registers || element_bits(product.a) < 8) return {};
    const std::vector<double> a =
        factor(pieces, operands.a_descriptor, operands.a_major, product.a, m, k);
    const std::vector<double> b =
        factor(pieces, operands.b_descriptor, operands.b_major, product.b, n, k);
    if (a.empty() || b.empty()) return {};
    std::vector<float> result;
    result.reserve(static_cast<std::size_t>(m * n));
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
            double sum = 0;
            for (int at_k = 0; at_k < k; ++at_k)
                sum += a[static_cast<std::size_t>(row * k + at_k)] *
                       b[static_cast<std::size_t>(column * k + at_k)];
            result.push_back(static_cast<float>(sum));
        }
    return result;
}

void WarpSums::add(std::vector<double>& sums, std::size_t product_number) const {
    const auto size = static_cast<std::size_t>(kRowsOfWarp * product.shape.n);
    const std::size_t first = size * static_cast<std::size_t>(warp);
    sums.resize(size);
    const std::vector<float>& its = *products[product_number];
    for (std::size_t i = 0; i < size && first + i < its.size(); ++i) sums[i] += its[first + i];
}

std::vector<std::vector<double>> WarpSums::sums(const AccumulatorTurns& turns) const {
    std::vector<std::vector<double>> sums(turns.count);
    for (std::size_t i = 0; i < products.size(); ++i) add(sums[turns.of(i)], i);
    return sums;
}

std::optional<WarpSums::Found> WarpSums::find(std::span<const std::uint32_t> word,
                                              std::span<const std::vector<double>> sums) const {
    constexpr double kExact = 1e-4, kRounded = 1e-2;
    const auto sum = [&](std::size_t accumulator, std::size_t lane, int element) {
        const MatrixElement at =
            element_of(product, MatrixOperand::kD, static_cast<int>(lane), element);
        return sums[accumulator][static_cast<std::size_t>(at.row * product.shape.n + at.column)];
    };
    const auto is_stored = [&](std::size_t accumulator, int element, Packing packing) {
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
            if (packing == Packing::kWhole) {
                const MatrixType type =
                    product.d == MatrixType::kS32 ? product.d : MatrixType::kF32;
                if (!is_near(matrix_value(type, word[lane]), sum(accumulator, lane, element),
                             kExact))
                    return false;
                continue;
            }
            const MatrixType type =
                packing == Packing::kBf16 ? MatrixType::kBf16 : MatrixType::kF16;
            for (int half = 0; half < 2; ++half)
                if (!is_near(half_of(word[lane], type, half),
                             sum(accumulator, lane, element + half), kRounded))
                    return false;
        }
        return true;
    };
    const int elements = elements_of(product, MatrixOperand::kD);
    for (const Packing packing : {Packing::kWhole, Packing::kBf16, Packing::kF16})
        for (std::size_t accumulator = 0; accumulator < sums.size(); ++accumulator)
            for (int element = 0; element < elements; element += packing == Packing::kWhole ? 1 : 2)
                if (is_stored(accumulator, element, packing)) return Found{accumulator, element};
    return std::nullopt;
}

std::optional<AccumulatorTurns> WarpSums::turns() const {
    constexpr std::size_t kMostTried = 16;  // stores
    if (products.empty() || stored.empty()) return std::nullopt;
    for (const std::size_t count : {1, 2, 3, 4, 6, 8})
        for (const std::size_t each : {1, 2, 4, 8, 16}) {
            if ((count == 1 && each > 1) || count * each > products.size()) continue;
            const AccumulatorTurns turns{count, each};
            const std::vector<std::vector<double>> after = sums(turns);
            const auto is_sum = [&](const StoredWords* words) {
                return find(std::span(*words).first(kWarpSize), after).has_value();
            };
            const std::size_t tried = std::min(kMostTried, stored.size());
            if (std::ranges::all_of(std::span(stored).first(tried), is_sum)) return turns;
        }
    return std::nullopt;
}

}  // namespace tilereel
