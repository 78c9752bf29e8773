#include "instrumentation/cuda/runtime/warp/communicating_lanes.h"

#include <algorithm>
#include <bit>

namespace tilereel::runtime {
namespace {

// A few bytes of an array, and the lanes of the warp that accessed them in a time slice.
struct Piece {
    std::uint64_t key = 0;                             // number of the piece + 1; 0: unused
    std::uint32_t loaded = 0, stored = 0, atomic = 0;  // lanes
    std::uint32_t event = 0;                           // of the last store
};

// A hash table of the pieces of one array.
class Pieces {
  public:
    explicit Pieces(std::size_t most) : table_(std::bit_ceil(most * 2 + 16)) {}
    Piece& at(std::uint64_t key) {
        std::size_t place = (key * 0x9e3779b97f4a7c15u) >> 20;
        for (;; ++place) {
            Piece& piece = table_[place & (table_.size() - 1)];
            if (piece.key == key + 1) return piece;
            if (piece.key == 0) {
                piece.key = key + 1;
                return piece;
            }
        }
    }

  private:
    std::vector<Piece> table_;
};

// How often a time slice accessed an array.
struct Use {
    const MemoryArray* array = nullptr;
    std::uint32_t loads = 0, stores = 0, atomics = 0, accesses = 0;
    std::uint32_t piece_bytes = 4;
    [[nodiscard]] bool may_conflict() const {
        return (stores > 0 && (loads > 0 || atomics > 0 || stores > 1)) ||
               (atomics > 0 && loads > 0);
    }
};

Use& use_of(std::vector<Use>& uses, const MemoryArray* array) {
    for (Use& use : uses)
        if (use.array == array) return use;
    uses.emplace_back().array = array;
    return uses.back();
}

// Whether two lanes access the same piece, at least one of them by a store or an atomic. Two
// atomics, or two stores of one event, do not count.
bool share_a_piece(const std::vector<WarpEvent>& events, const Use& use) {
    std::uint32_t pieces_each = 1;
    for (const WarpEvent& event : events)
        if (event.row->array == use.array)
            pieces_each = std::max(pieces_each, event.row->site->width_bytes / use.piece_bytes);
    Pieces pieces(std::size_t{use.accesses} * pieces_each);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        const WarpEvent& event = events[i];
        if (event.row->array != use.array) continue;
        const SiteKind kind = event.row->site->kind;
        for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::uint32_t bit = 1u << lane, begin = event.words[lane] / use.piece_bytes;
            const std::uint32_t count =
                std::max(1u, event.row->site->width_bytes / use.piece_bytes);
            for (std::uint32_t k = 0; k < count; ++k) {
                Piece& piece = pieces.at(begin + k);
                const bool stored_before = (piece.stored & ~bit) != 0;
                if (kind == SiteKind::kLoad) {
                    if (stored_before || (piece.atomic & ~bit) != 0) return true;
                    piece.loaded |= bit;
                } else if (kind == SiteKind::kAtomic) {
                    if (stored_before || (piece.loaded & ~bit) != 0) return true;
                    piece.atomic |= bit;
                } else {
                    if ((stored_before && piece.event != i) ||
                        ((piece.loaded | piece.atomic) & ~bit) != 0)
                        return true;
                    piece.stored |= bit;
                    piece.event = i;
                }
            }
        }
    }
    return false;
}

}  // namespace

bool lanes_communicate(const std::vector<WarpEvent>& events) {
    // Not destroyed: a static object's destructor may launch kernels after this thread's objects.
    thread_local std::vector<Use>& uses = *new std::vector<Use>;
    uses.clear();
    for (const WarpEvent& event : events) {
        if (!is_access(*event.row)) continue;
        Use& use = use_of(uses, event.row->array);
        const SiteKind kind = event.row->site->kind;
        ++(kind == SiteKind::kLoad    ? use.loads
           : kind == SiteKind::kStore ? use.stores
                                      : use.atomics);
        use.accesses += count_lanes(event.mask);
        use.piece_bytes = std::min(use.piece_bytes, std::max(1u, event.row->site->width_bytes));
    }
    for (Use& use : uses) {
        use.piece_bytes = std::bit_floor(use.piece_bytes);
        if (use.may_conflict() && share_a_piece(events, use)) return true;
    }
    return false;
}

}  // namespace tilereel::runtime
