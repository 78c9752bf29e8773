#include "instrumentation/analysis/cost/plain_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "instrumentation/trace/lanes.h"

namespace tilereel {
namespace {

constexpr std::size_t kMatrixRows = 8;
constexpr std::uint32_t kMatrixRowBytes = 16, kBankLineBytes = 128;
using RowAddresses = std::array<std::uint32_t, kMatrixRows>;  // addresses

// The rows of each matrix; empty if the lanes do not come in groups of eight.
std::vector<RowAddresses> matrices_of(const WarpAccess& access) {
    std::vector<RowAddresses> matrices;
    for (std::size_t first = 0; first < kWarpSize; first += kMatrixRows) {
        const std::uint32_t active = access.lanes.mask >> first & 0xff;
        if (active == 0) continue;
        if (active != 0xff) return {};
        RowAddresses rows{};
        std::copy_n(access.lanes.bytes.begin() + static_cast<std::ptrdiff_t>(first), kMatrixRows,
                    rows.begin());
        matrices.push_back(rows);
    }
    return matrices;
}

// The distance of the rows, if it is the same everywhere; else 0.
std::uint32_t distance_of(std::span<const RowAddresses> matrices) {
    const std::uint32_t distance = matrices[0][1] - matrices[0][0];
    for (const RowAddresses& rows : matrices)
        for (std::size_t i = 1; i < kMatrixRows; ++i)
            if (rows[i] - rows[i - 1] != distance) return 0;
    return static_cast<std::int32_t>(distance) > 0 ? distance : 0;
}

// The length of a row, a power of two, if each piece lies in the row after that of the piece before
// it; else 0. The tile may begin anywhere that is a multiple of 16 bytes.
std::uint32_t swizzled_row(std::span<const RowAddresses> matrices) {
    for (std::uint32_t row_bytes = 2 * kMatrixRowBytes; row_bytes <= 8 * kBankLineBytes;
         row_bytes *= 2)
        if (std::ranges::all_of(matrices, [&](const RowAddresses& rows) {
                for (std::size_t i = 1; i < kMatrixRows; ++i)
                    if (rows[i] / row_bytes != rows[i - 1] / row_bytes + 1) return false;
                return true;
            }))
            return row_bytes;
    return 0;
}

// The place in its row that a matrix has in the row whose number the swizzle does not change.
std::uint32_t plain_place(const RowAddresses& rows, std::uint32_t row_bytes) {
    const auto first = std::ranges::min_element(
        rows, {}, [](std::uint32_t address) { return address / kBankLineBytes % kMatrixRows; });
    return *first % row_bytes;
}

}  // namespace

std::optional<PlainRows> plain_rows(const WarpAccess& access, const Generation& generation) {
    const std::vector<RowAddresses> matrices = matrices_of(access);
    if (!is_matrix_access(access.operation) || matrices.empty()) return std::nullopt;
    PlainRows plain{.access = access, .cost = {}};
    const std::uint32_t distance = distance_of(matrices);
    const bool is_padded = distance > kMatrixRowBytes && !std::has_single_bit(distance);
    if (distance != 0 && !is_padded) return std::nullopt;
    if (is_padded) {
        plain.recorded = RowPlacement::kPadded;
        plain.row_bytes = std::bit_floor(distance);
        plain.padding_bytes = distance - plain.row_bytes;
    } else {
        plain.row_bytes = swizzled_row(matrices);
        if (plain.row_bytes == 0) return std::nullopt;
    }
    std::uint32_t lowest =
        access.lanes.bytes[static_cast<std::size_t>(std::countr_zero(access.lanes.mask))];
    for (const std::uint32_t lane : lanes_in(access.lanes.mask))
        lowest = std::min(lowest, access.lanes.bytes[lane]);
    const auto matrix_of = [&](std::uint32_t lane) -> const RowAddresses& {
        const std::uint32_t below =
            access.lanes.mask & ((1u << lane / kMatrixRows * kMatrixRows) - 1);
        return matrices[static_cast<std::size_t>(std::popcount(below)) / kMatrixRows];
    };
    for (const std::uint32_t lane : lanes_in(access.lanes.mask)) {
        std::uint32_t& address = plain.access.lanes.bytes[lane];
        if (is_padded) {  // rows counted from the lowest address
            const std::uint32_t row = (address - lowest) / distance;
            const std::uint32_t place = (address - lowest) % distance;
            address = lowest + row * plain.row_bytes + place;
        } else {
            address = address / plain.row_bytes * plain.row_bytes +
                      plain_place(matrix_of(lane), plain.row_bytes);
        }
    }
    plain.cost = cost_of(plain.access, generation);
    return plain;
}

}  // namespace tilereel
