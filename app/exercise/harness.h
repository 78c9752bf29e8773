#pragma once
// The program around a submission: a file of its own, with the main() that runs. It makes the
// inputs, calls the learner's function, computes the right outputs, and shows all arrays to the
// recorder by two launches of its own.
//
// Why so: what a program prints can be forged, so nothing that it prints is read. Arrays are read
// from the recordings of two kernels that only touch them, one before and one after the learner's
// function. The right outputs are computed after that function has returned, from inputs that lie
// in host memory, which a submission cannot reach (submission_text.h). The file is compiled apart
// from the submission, so no macro of the submission changes it.
#include <cstdint>
#include <string>
#include <vector>

#include "app/exercise/exercise.h"

namespace tilereel {

inline constexpr const char* kBeforeKernel = "tilereel_before";
inline constexpr const char* kAfterKernel = "tilereel_after";
// So is main() of the submission called, which does not run.
inline constexpr const char* kOtherMain = "tilereel_main_of_the_file";
// The right values of the array "out", of type double or int: "right_out".
[[nodiscard]] std::string right_array(const std::string& output);

// The text of the file. Its program takes as arguments a seed and the sizes in their order.
[[nodiscard]] std::string harness_text(const Exercise& exercise);

// Sizes of one run, in the order of the parameters. `run`: counted from 0. The same for the same
// seed on every computer.
// Three runs in a row draw from each third of a size's values.
[[nodiscard]] NamedNumbers drawn_sizes(const Exercise& exercise, std::uint64_t seed, unsigned run);
// The program's arguments for these sizes.
[[nodiscard]] std::vector<std::string> harness_arguments(const Exercise& exercise,
                                                         const NamedNumbers& sizes,
                                                         std::uint64_t seed, unsigned run);

}  // namespace tilereel
