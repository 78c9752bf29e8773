#include "instrumentation/cuda/runtime/warp/box_copies.h"

#include <algorithm>
#include <cstring>

#include "instrumentation/cuda/runtime/running.h"
#include "instrumentation/cuda/runtime/warp/encoded_tensor_map.h"

namespace tilereel::runtime {
namespace {

constexpr std::uint32_t kGroup = 16;  // bytes

// Collects the pieces of a box by kind. Pieces inside of the tensor come before those outside; of
// each, groups of 16 bytes come before single elements.
class BoxPieces {
  public:
    explicit BoxPieces(std::uint32_t element_bytes) : element_bytes_(element_bytes) {}
    void add(bool outside, bool group, std::uint64_t from, std::uint64_t to) {
        kinds_[outside * 2 + !group].push_back({outside ? 0 : from, to, {}});
    }
    [[nodiscard]] BoxCopy copy() const {
        BoxCopy made;
        for (std::uint32_t kind = 0; kind < 4; ++kind) {
            const std::uint32_t width = kind % 2 == 0 ? kGroup : element_bytes_;
            const auto first = static_cast<std::uint32_t>(made.pieces.size());
            const auto all = static_cast<std::uint32_t>(kinds_[kind].size());
            made.pieces.insert(made.pieces.end(), kinds_[kind].begin(), kinds_[kind].end());
            made.bytes += all * width;
            for (std::uint32_t at = 0; at < all; at += kLanes)
                made.batches.push_back({.width_bytes = width,
                                        .outside = kind >= 2,
                                        .first = first + at,
                                        .count = std::min(all - at, kLanes)});
        }
        return made;
    }

  private:
    std::uint32_t element_bytes_;
    std::array<std::vector<BoxPiece>, 4> kinds_;
};

// The address to which the TMA writes a byte: PTX ISA, "Swizzling Modes".
std::uint64_t swizzled(std::uint64_t address, std::uint32_t swizzle_bytes) {
    const std::uint64_t groups = swizzle_bytes / kGroup;
    return groups == 0 ? address : address ^ (address >> 7 & (groups - 1)) << 4;
}

// Adds the pieces of one row of the box. `row`: address of that row of the tensor, if `inside`.
void add_row(const TensorMap& map, int column, std::uint64_t row, bool inside, std::uint64_t to,
             BoxPieces& pieces) {
    const std::int64_t element = map.element_bytes, group = kGroup / element;
    const std::int64_t extent = std::int64_t{map.last[0]} + 1;
    for (std::int64_t c = 0; c < map.box[0]; c += group) {
        const std::int64_t begin = column + c, end = begin + group;
        const auto address = row + static_cast<std::uint64_t>(begin * element);
        const auto place = to + static_cast<std::uint64_t>(c * element);
        const bool none = !inside || begin >= extent || end <= 0;
        if (none || (begin >= 0 && end <= extent && address % kGroup == 0)) {
            pieces.add(none, true, address, swizzled(place, map.swizzle_bytes));
            continue;
        }
        for (std::int64_t i = 0; i < group; ++i) {
            const auto at = static_cast<std::uint64_t>(i * element);
            pieces.add(begin + i < 0 || begin + i >= extent, false, address + at,
                       swizzled(place + at, map.swizzle_bytes));
        }
    }
}

}  // namespace

BoxCopy box_copy(const TensorMap& map, const int* coordinates, std::uint64_t to) {
    BoxPieces pieces(map.element_bytes);
    std::array<std::uint32_t, TensorMap::kMostRank> at{};  // of a row in the box; at[0] unused
    for (bool more = true; more;) {
        std::uint64_t row = map.first;
        bool inside = true;
        for (std::uint32_t i = 1; i < map.rank; ++i) {
            const std::int64_t index = coordinates[i] + std::int64_t{at[i]};
            inside = inside && index >= 0 && index <= map.last[i];
            row += static_cast<std::uint64_t>(index) * map.stride_bytes[i - 1];
        }
        add_row(map, coordinates[0], row, inside, to, pieces);
        to += std::uint64_t{map.box[0]} * map.element_bytes;
        more = false;
        for (std::uint32_t i = 1; i < map.rank && !more; ++i) {
            at[i] += map.step[i];
            more = at[i] < map.box[i];
            if (!more) at[i] = 0;
        }
    }
    return pieces.copy();
}

BoxCopy contiguous_copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
    BoxPieces pieces(kGroup);
    for (std::uint32_t at = 0; at < bytes; at += kGroup)
        pieces.add(false, true, from + at, to + at);
    return pieces.copy();
}

void read_from_global(BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches) {
        if (batch.outside) continue;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            BoxPiece& piece = copy.pieces[batch.first + i];
            std::memcpy(piece.value.data(), reinterpret_cast<const void*>(piece.from),
                        batch.width_bytes);
        }
    }
}

void write_to_shared(const BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches)
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            std::memcpy(reinterpret_cast<void*>(piece.to), piece.value.data(), batch.width_bytes);
        }
}

void read_from_shared(BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches)
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            BoxPiece& piece = copy.pieces[batch.first + i];
            std::memcpy(piece.value.data(), reinterpret_cast<const void*>(piece.to),
                        batch.width_bytes);
        }
}

void write_to_global(const BoxCopy& copy) {
    for (const BoxBatch& batch : copy.batches) {
        if (batch.outside) continue;
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const BoxPiece& piece = copy.pieces[batch.first + i];
            std::memcpy(reinterpret_cast<void*>(piece.from), piece.value.data(), batch.width_bytes);
        }
    }
}

}  // namespace tilereel::runtime
