#pragma once
// Commands about the CUDA program that is open.
#include <cstdint>
#include <optional>
#include <variant>

#include "app/workbench/program/program_bench.h"
#include "instrumentation/program/program.h"

namespace tilereel {

struct OpenProgram {  // compiles, runs and records it
    program::ProgramRequest request;
    NamedProducts products{};
};
struct RunProgramAgain {
    bool saved = false;       // because its file has changed on disk
    bool all_blocks = false;  // also those that take long, in this run and in later ones
};
// Adds the files that define what the open program's link missed, and runs it again.
struct AddMissingFiles {};
struct ChooseLaunch {
    std::uint32_t launch = 0;  // index into the launches of the open program
};
struct NameProduct {
    // The product that the shown launch computes; nullopt: the recognised product.
    std::optional<NamedProduct> product{};
};

using ProgramCommand =
    std::variant<OpenProgram, RunProgramAgain, AddMissingFiles, ChooseLaunch, NameProduct>;

}  // namespace tilereel
