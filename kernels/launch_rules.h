#pragma once
// The rules that a kernel's file declares (kernels/declaration.h): about sizes, about TILE and PAD,
// and about dynamic shared memory.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"
#include "kernels/input_type.h"

namespace tilereel {

struct KernelParameters;

struct SizeRules {
    struct Multiple {
        char extent = 'M';  // 'M', 'N' or 'K'
        int of = 0;         // 0: of TILE
        // The TILEs with which this multiple replaces the general one; empty: it is the general
        // one.
        std::vector<int> tiles = {};
    };
    bool k_is_tile = false;
    std::vector<Multiple> multiples;
    int most_elements = 0;          // of C; 0: any number
    std::string why_most_elements;  // the reason: "a thread each"; may be empty
    bool k_at_most_m_and_n = false;
    int compute_capability = 0;  // the smallest that it needs; 90: 9.0; 0: any
    // "9.0a": instructions that only this compute capability has (nvcc: sm_90a).
    bool architecture_specific = false;
    bool offsets_of_64_bits = false;  // of elements of A, B and C; else they are int
};

// An extent that a file declares, without PAD.
struct DeclaredExtent {
    std::string name{};  // "M", "N", "K" or "TILE"; empty: `number`
    int number = 0;
    std::vector<std::pair<int, int>> with_tile{};  // TILE and the extent with it; else `name`
    bool operator==(const DeclaredExtent&) const = default;
};

struct VariantRules {
    std::vector<int> tiles;  // valid TILEs; empty: any
    std::string why_tiles;   // the reasons, why_tiles and why_pad, may be empty
    int pad_unit = 1;        // PAD must be a multiple of this
    std::string why_pad;
    DeclaredExtent tile_rows{.name = "TILE"}, tile_columns{.name = "TILE"};  // of a block's C
};

// Dynamic shared memory: contiguous arrays of two extents or more.
struct DeclaredShared {
    struct Tile {
        std::string name;
        std::vector<DeclaredExtent> extents;  // outermost first; rows have PAD more elements
        std::optional<InputType> type;        // of its elements; nullopt: that of A and B
    };
    std::vector<Tile> tiles;
};

// 0 if the extent is not known for this TILE.
[[nodiscard]] int extent_of(const DeclaredExtent& extent, const KernelParameters& p);

// kWrongCall with the first rule that M, N or K violates, and a size to use instead. `id`: of the
// kernel.
[[nodiscard]] Status check_sizes(std::string_view id, const SizeRules& rules,
                                 const KernelParameters& p);
// kWrongCall if the size of all tiles differs from the launch's dynamic shared memory. A kernel
// without tiles is not checked. `inputs`: the type of A and B.
[[nodiscard]] Status check_shared(std::string_view id, const DeclaredShared& rules,
                                  InputType inputs, const KernelParameters& p,
                                  std::int64_t dynamic_shared_bytes);

}  // namespace tilereel
