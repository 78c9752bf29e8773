#pragma once
// The elements of C that are wrong, and as much as a trace tells of why.
#include <string>
#include <vector>

#include "app/replay/replay.h"
#include "instrumentation/analysis/hazards.h"
#include "instrumentation/trace/trace.h"
#include "kernels/reference.h"

namespace tilereel {

// By rows. Compares C with the reference only where it may be wrong.
[[nodiscard]] std::vector<WrongElement> wrong_elements_of(const Trace& trace);
// Likewise, but always compares.
[[nodiscard]] std::vector<WrongElement> compare_with_reference(const Trace& trace);

// What C should be: "A times B", "2 A B + 0.5 C". The C of the sum is the one before the launch.
[[nodiscard]] std::string product_words(const MatrixProduct& product);

// "3 of 256 elements of C are wrong: C[0][1] is 7, but A times B there is 30". `wrong` is not
// empty.
[[nodiscard]] std::string wrong_product_sentence(const Trace& trace,
                                                 const std::vector<WrongElement>& wrong);
// Why, as far as it is known: elements that nobody stores, hazards, a C that is read, or where to
// look. One sentence without a full stop.
[[nodiscard]] std::string why_wrong(const Trace& trace, const std::vector<WrongElement>& wrong,
                                    const std::vector<Finding>& findings);

// The step sentence with what is wrong of C, of which `wrong` are the elements: while wrong values
// are stored and once the block is done, the first of them with the value it has and the right one.
[[nodiscard]] Sentence with_wrong_elements(Sentence sentence, const Replay& replay,
                                           const std::vector<WrongElement>& wrong);

}  // namespace tilereel
