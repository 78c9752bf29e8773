#pragma once
// What is fuzzed: each target takes bytes, as a file or a command line brings them, and must
// neither crash nor take long nor write anything outside its own temporary folder.
#include <cstdint>
#include <span>

namespace tilereel::fuzz {

using Input = std::span<const std::uint8_t>;

// The members of a trace file (members.h): read, checked, reported and drawn.
void run_trace(Input input);
// A race file: read, written again, reported and counted.
void run_race(Input input);
// A .npy file with a matrix.
void run_npy(Input input);
// A command line, one argument a line. Nothing is recorded beyond 32 x 32 x 32, raced or exported.
void run_command(Input input);

}  // namespace tilereel::fuzz
