#pragma once
// The wrong elements of C, and the reasons that follow from the trace.
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards/hazards.h"
#include "instrumentation/trace/trace.h"
#include "kernels/reference.h"

namespace tilereel {

// In row-major order. Compares C with the reference only if the trace does not say that C is right.
[[nodiscard]] std::vector<WrongElement> wrong_elements_of(const Trace& trace);
// The same, but always compares.
[[nodiscard]] std::vector<WrongElement> compare_with_reference(const Trace& trace);

// "C is right in the 57 of 16,384 blocks that had run; the rest of C is not judged". Empty if all
// of C is judged.
[[nodiscard]] std::string judged_part_text(const Trace& trace, bool has_wrong_elements);

// The expected value of C: "A times B", "2 A B + 0.5 C". The C in the sum is C before the launch.
[[nodiscard]] std::string product_formula(const MatrixProduct& product);

// What a product with column-major factors is if these lie row by row, as a beginner may mean them:
// "A times B^T". Empty unless all such factors are square: else only one reading fits.
[[nodiscard]] std::string product_by_rows(const Trace& trace);

// "3 of 256 elements of C are wrong: C[0][1] is 7, but A times B there is 30". `wrong` must not be
// empty.
[[nodiscard]] std::string wrong_product_sentence(const Trace& trace,
                                                 const std::vector<WrongElement>& wrong);
// The likely reason: elements that are never stored, hazards, C is read, or else where to look. One
// sentence without a full stop.
[[nodiscard]] std::string why_wrong(const Trace& trace, const std::vector<WrongElement>& wrong,
                                    const std::vector<Finding>& findings);

// Adds wrong elements to the step sentence: while wrong values are stored, and after the block has
// ended, it names the first one with its value and the right value.
[[nodiscard]] Sentence with_wrong_elements(Sentence sentence, const Replay& replay,
                                           const std::vector<WrongElement>& wrong);

}  // namespace tilereel
