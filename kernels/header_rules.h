#pragma once
// What a plain CUDA file's header says of its sizes (Needs), of its TILE and PAD (Takes) and of its
// dynamic shared memory (Shared), read as rules. kernels/README.md lists what can be said.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

struct KernelParameters;

struct SizeRules {
    struct Multiple {
        char extent = 'M';  // 'M', 'N' or 'K'
        int of = 0;         // 0: of TILE
        std::vector<int> tiles =
            {};  // in place of the general rule, with these TILEs; empty: general
    };
    bool k_is_tile = false;
    std::vector<Multiple> multiples;
    int most_elements = 0;          // of C; 0: any number
    std::string why_most_elements;  // "a thread each"; may be empty
    bool k_at_most_m_and_n = false;
    int compute_capability = 0;  // the least that it needs; 90: 9.0; 0: any
    std::string unknown;         // the first clause that is no rule; empty: all are
};

struct VariantRules {
    std::vector<int> tiles;  // all that TILE can be; empty: any
    std::string why_tiles;   // may be empty, as why_pad
    int pad_unit = 1;        // PAD is a multiple of it
    std::string why_pad;
    std::string unknown;  // as in SizeRules
};

// Dynamic shared memory: two-dimensional arrays of float, one behind the other without a gap.
struct SharedRules {
    struct Tile {
        std::string name;
        std::string rows, columns;  // "M", "N", "K", "TILE" or a number; plus PAD floats a row
    };
    std::vector<Tile> tiles;
    std::string unknown;  // as in SizeRules
};

// "M, N multiples of TILE, K of 8; TILE 128: K of 16"
[[nodiscard]] SizeRules read_needs(std::string_view needs);
// "TILE 8, 16 or 32: its threads share out each tile evenly; PAD of 4"
[[nodiscard]] VariantRules read_takes(std::string_view takes);
// "As M x K, Bs K x N"
[[nodiscard]] SharedRules read_shared(std::string_view shared);
// Rows or columns of a tile, without PAD.
[[nodiscard]] int extent_of(std::string_view extent, const KernelParameters& p);

// kWrongCall with the first rule that M, N or K breaks, and a size to use instead. `id` is the
// kernel's.
[[nodiscard]] Status check_sizes(std::string_view id, const SizeRules& rules,
                                 const KernelParameters& p);
// kWrongCall if the tiles do not take as many bytes as the launch asks for. A kernel without tiles
// is not checked.
[[nodiscard]] Status check_shared(std::string_view id, const SharedRules& rules,
                                  const KernelParameters& p, std::int64_t dynamic_shared_bytes);

}  // namespace tilereel
