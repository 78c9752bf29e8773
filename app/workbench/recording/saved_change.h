#pragma once
// What a saved edit of a program has changed: "1 error gone, 3,532 elements right, sectors / 16",
// and what to try next. Only what was counted, and only if both runs can be compared.
#include <optional>

#include "app/replay/sentence/sentence.h"
#include "app/workbench/recording/recording.h"

namespace tilereel {

// Whether two recordings are of the same launch with the same sizes: kernel, global arrays, and
// all that was recorded.
[[nodiscard]] bool are_comparable(const Recording& former, const Recording& now);

// "Saved: 1 error gone, sectors / 16. Next: ...". Empty if nothing that is counted has changed, or
// if the two cannot be compared.
[[nodiscard]] Sentence saved_change(const Recording& former, const Recording& now);

// What the counts of a launch say to try: the remaining error, else the bank conflicts of a line,
// else the line that uses the smallest part of the bytes that it moves. Empty if there is none.
// Padding is proposed only if the same accesses, with one more word in each row of the array, are
// counted with fewer conflicts.
[[nodiscard]] Sentence next_to_try(const Recording& recording);

}  // namespace tilereel
