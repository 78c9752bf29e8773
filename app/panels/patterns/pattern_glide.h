#pragma once
// After a change of padding or swizzle each lane of the picture slides from its former bank and
// wavefront to the new ones, and the figures count along.
#include "app/panels/patterns/pattern_views.h"

namespace tilereel {

using GlidingWord = PatternsMemory::GlidingWord;

// Call it once per frame, before the picture is drawn.
void begin_pattern_glide(const PatternContext& lab);
// The figures that are drawn: wavefronts, conflicts, banks used, banks asked for several words.
[[nodiscard]] std::vector<std::uint32_t> counting_pattern_figures(
    const PatternContext& lab, const std::vector<std::uint32_t>& figures);
[[nodiscard]] bool pattern_glides(const PatternContext& lab);
// Where a word's cell is in this frame. `place`: where it ends.
[[nodiscard]] Rect gliding_pattern_cell(const PatternContext& lab, const GlidingWord& word,
                                        const Rect& place);

}  // namespace tilereel
