#pragma once
// The fuzz targets. Each takes the bytes of a file or a command line. It must not crash, take long,
// or write outside of its temporary folder.
#include <cstdint>
#include <cstdlib>
#include <span>

namespace tilereel::fuzz {

using Input = std::span<const std::uint8_t>;

// A target has found a bug if this does not hold.
inline void require(bool holds) {
    if (!holds) std::abort();
}

// The members of a trace file (members.h): read, checked, reported and drawn.
void run_trace(Input input);
// A race file: read, written again, reported and compared with itself.
void run_race(Input input);
// A .npy file with a matrix.
void run_npy(Input input);
// The text of a CUDA file: the text pass, which reads it before the compiler.
void run_text(Input input);
// What a compiler or a linker prints: the errors in it.
void run_messages(Input input);
// What a running program sends on the pipe for messages, as a stranger writes it.
void run_child(Input input);
// Folders and files with all kinds of names, marks and contents: the sweep of left folders.
void run_folders(Input input);
// A command line, one argument per line. Nothing is raced or exported, and nothing larger than
// 32 x 32 x 32 is recorded.
void run_command(Input input);

}  // namespace tilereel::fuzz
