#pragma once
// What the source documents and the measured H100 say about the kernels: each fact with its figures
// and where it stands. Figures that follow from others are computed here, not copied.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"

namespace tilereel {

struct FactFigure {
    std::string name;  // "TILE 16 bound"
    double value = 0;
    std::string_view unit;  // "GFLOPS"; empty: a plain number
};

// What a recorded launch shows of a fact.
enum class RecordedFigure : std::uint8_t {
    kNone,
    kBytes,              // that the kernel asks of global memory
    kFlopPerByte,        // read from global memory
    kBoundByBandwidth,   // of the RTX 3090, at the intensity recorded
    kTransactionsOfA,    // a request of A, and the bytes used
    kSectorsOfA,         // a request of A
    kSharedReads,        // a multiply-add
    kBarriers,           // a phase
    kPhases,             // of a block
    kZeroFill,           // shared cells stored without a load
    kBlockShape,         // threads and shared memory of a block
    kOuterProduct,       // threads of a block, trips of a phase
    kOccupancy,          // by the rules of the generation shown
    kBlockByOccupancy,   // likewise
    kBlocks,             // of the grid
};

struct Fact {
    std::string_view id;  // "flop_per_byte_tiled"
    std::vector<std::string_view> kernels;  // it is about; empty: all
    std::string text;                       // one sentence or two, figures included
    std::vector<FactFigure> figures;
    std::string_view document, section;  // where it stands
    RecordedFigure recorded = RecordedFigure::kNone;
};

// All of them, in the documents' order, with what depends on TILE computed for this one.
[[nodiscard]] std::vector<Fact> all_facts(int tile);
[[nodiscard]] std::vector<Fact> facts_about(std::string_view kernel, int tile);

// The ids of those about register banks and the reuse of operands, in the order to be read in.
inline constexpr std::array<std::string_view, 5> kRegisterFacts = {
    "register_banks", "operand_reuse", "multiply_add_order", "shared_read_issue",
    "register_tile_bound"};

// FLOP a byte read from global memory: 2MNK FLOP, for 2MNK words when every operand is loaded, for
// 1/TILE as many when tiles are shared.
[[nodiscard]] double classical_flop_per_byte(int tile = 1);
// An RTX 3090, "Memory Coalescing and Tiled Matrix Multiplication", FLOPS Analysis.
inline constexpr double kRtx3090BytesPerSecond = 936.2e9;
inline constexpr double kRtx3090FlopPerSecond = 35'580e9;
// The largest TILE whose two square tiles of floats fit the shared memory, and whose block of TILE
// x TILE threads the threads a block.
struct TileLimit {
    int by_shared_memory = 0, by_threads = 0;
    int tile = 0;  // the smaller
};
[[nodiscard]] TileLimit tile_limit(int shared_bytes, int threads);

}  // namespace tilereel
