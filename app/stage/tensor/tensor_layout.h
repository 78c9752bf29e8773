#pragma once
// Where the parts of the picture of fragments lie.
//
//     with values in all three        where they do not fit
//     +-----------------+-------+     +-------------------+---------+
//     | head            | B     |     | head              | slots   |
//     | slots           |       |     | the large one     +----+----+
//     +-----------------+-------+     |                   | C  | B  |
//     | A               | C     |     |                   |    |    |
//     +-----------------+-------+     +-------------------+----+----+
#include <vector>

#include "app/stage/tensor/fragment_place.h"
#include "app/stage/tensor/slots.h"

namespace tilereel::stage {

struct TensorLayout {
    Rect head, legend;
    Rect slots;           // empty without a matrix load or store
    Rect words;           // for an explanation, where there are no slots; may be empty
    bool is_low = false;  // the head has two lines
    std::vector<FragmentPlace> places;  // by fragment
    std::optional<std::size_t> large;   // index into `places`, if only one of several is large
};

// `large`: the fragment that is large if not all have room.
[[nodiscard]] TensorLayout layout_tensor(const TensorScene& scene,
                                         const std::vector<FragmentTexts>& texts, const Rect& room,
                                         std::size_t large);

}  // namespace tilereel::stage
