#pragma once
// A fact about kernels: as written in kernels/facts.toml, and evaluated for the TILE of a launch.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel {

struct FactFigure {
    std::string name;  // "TILE 16 bound"
    double value = 0;
    std::string_view unit;  // "GFLOPS"; empty: a plain number
};

// The figure of a recorded launch that is shown beside a fact.
enum class RecordedFigure : std::uint8_t {
    kNone,
    kBytes,             // bytes that the kernel requests from global memory
    kFlopPerByte,       // FLOP per byte read from global memory
    kBoundByBandwidth,  // memory bound of the RTX 3090 at the recorded intensity
    kTransactionsOfA,   // transactions per request of A, and the used bytes
    kSectorsOfA,        // sectors per request of A
    kSharedReads,       // reads of shared memory per multiply-add
    kBarriers,          // barriers per phase
    kPhases,            // phases of a block
    kZeroFill,          // shared cells that are stored without a load
    kBlockShape,        // threads and shared memory of a block
    kOuterProduct,      // threads of a block, iterations in a phase
    kOccupancy,         // by the rules of the shown generation
    kBlockByOccupancy,  // TILE by the occupancy rule, for the shown generation
    kBlocks,            // blocks of the grid
};

struct Fact {
    std::string_view id;                    // "flop_per_byte_tiled"
    std::vector<std::string_view> kernels;  // their ids; empty: all
    std::string text;                       // one or two sentences, with figures
    std::vector<FactFigure> figures;
    std::string_view document, section;  // its source
    RecordedFigure recorded = RecordedFigure::kNone;
    bool about_registers = false;  // register banks and the reuse of operands
};

// Figures that follow from TILE.
enum class ComputedFigure : std::uint8_t {
    kNone,
    kFlopPerByte,     // classical_flop_per_byte()
    kRtx3090Gflops,   // the memory bound of an RTX 3090 at this intensity
    kRtx3090Percent,  // the same in percent of its peak
};

struct WrittenFigure {
    std::string name, unit;
    double value = 0;  // if `computed` is kNone
    ComputedFigure computed = ComputedFigure::kNone;
};

struct WrittenFact {
    int line = 0;  // in the file
    std::string id;
    std::vector<std::string> kernels;  // empty: all
    std::string text;                  // with names of figures and TILE in braces
    std::vector<WrittenFigure> figures;
    std::string document, section;
    RecordedFigure recorded = RecordedFigure::kNone;
    bool about_registers = false;
    // TILEs; 0: none.
    int tile = 0;              // used for computed figures instead of the launch's TILE
    int recorded_at_tile = 0;  // the only TILE at which a recorded figure is shown
    int except_at_tile = 0;    // the TILE at which the fact is left out
};

// The fact for a launch with this TILE. Unknown names in braces stay in its text.
[[nodiscard]] Fact fact_at_tile(const WrittenFact& written, int tile);

// FLOP per byte read from global memory: 2MNK FLOP over 2MNK words if every operand is loaded; over
// 1/TILE of that if tiles are in shared memory.
[[nodiscard]] double classical_flop_per_byte(int tile = 1);
// An RTX 3090, "Memory Coalescing and Tiled Matrix Multiplication", FLOPS Analysis.
inline constexpr double kRtx3090BytesPerSecond = 936.2e9;
inline constexpr double kRtx3090FlopPerSecond = 35'580e9;

}  // namespace tilereel
