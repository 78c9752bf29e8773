#pragma once
// One fact: as it is written in kernels/facts.toml, and with a launch's TILE put in.
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

// What a recorded launch shows of a fact.
enum class RecordedFigure : std::uint8_t {
    kNone,
    kBytes,             // that the kernel asks of global memory
    kFlopPerByte,       // read from global memory
    kBoundByBandwidth,  // of the RTX 3090, at the intensity recorded
    kTransactionsOfA,   // a request of A, and the bytes used
    kSectorsOfA,        // a request of A
    kSharedReads,       // a multiply-add
    kBarriers,          // a phase
    kPhases,            // of a block
    kZeroFill,          // shared cells stored without a load
    kBlockShape,        // threads and shared memory of a block
    kOuterProduct,      // threads of a block, trips of a phase
    kOccupancy,         // by the rules of the generation shown
    kBlockByOccupancy,  // likewise
    kBlocks,            // of the grid
};

struct Fact {
    std::string_view id;                    // "flop_per_byte_tiled"
    std::vector<std::string_view> kernels;  // it is about; empty: all
    std::string text;                       // one sentence or two, figures included
    std::vector<FactFigure> figures;
    std::string_view document, section;  // where it stands
    RecordedFigure recorded = RecordedFigure::kNone;
    bool about_registers = false;  // register banks and the reuse of operands
};

// Figures that follow from TILE.
enum class ComputedFigure : std::uint8_t {
    kNone,
    kFlopPerByte,     // classical_flop_per_byte()
    kRtx3090Gflops,   // an RTX 3090's bound by memory at this intensity
    kRtx3090Percent,  // of its peak
};

struct WrittenFigure {
    std::string name, unit;
    double value = 0;  // unless it is computed
    ComputedFigure computed = ComputedFigure::kNone;
};

struct WrittenFact {
    int line = 0;  // of the file
    std::string id;
    std::vector<std::string> kernels;  // empty: all
    std::string text;                  // with names of figures and TILE in braces
    std::vector<WrittenFigure> figures;
    std::string document, section;
    RecordedFigure recorded = RecordedFigure::kNone;
    bool about_registers = false;
    // TILEs; 0: none.
    int tile = 0;              // for which figures are computed, in place of the launch's
    int recorded_at_tile = 0;  // the only one at which a recording is compared with it
    int except_at_tile = 0;    // at which it is left out
};

// The fact of a launch with this TILE. Braces that name nothing stay in its text.
[[nodiscard]] Fact fact_at_tile(const WrittenFact& written, int tile);

// FLOP a byte read from global memory: 2MNK FLOP, for 2MNK words when every operand is loaded, for
// 1/TILE as many when tiles are shared.
[[nodiscard]] double classical_flop_per_byte(int tile = 1);
// An RTX 3090, "Memory Coalescing and Tiled Matrix Multiplication", FLOPS Analysis.
inline constexpr double kRtx3090BytesPerSecond = 936.2e9;
inline constexpr double kRtx3090FlopPerSecond = 35'580e9;

}  // namespace tilereel
