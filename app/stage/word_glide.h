#pragma once
// Why: a padded tile is the same words at other banks. A cut from one picture to the next hides
// this, so the words are seen on their way:
//
//   PAD 0, column 0 of Bs     bank 0 1 2 3          PAD 1     bank 0 1 2 3
//                             row 0  x                        row 0  x
//                             row 1  x              --->      row 1    x
//                             row 2  x                        row 2      x
//
// After a change of PAD, TILE or swizzle each word of shared memory slides from its former place to
// its new one, and the queue at the banks grows or shrinks to its new length: slides() of
// shared_form.h. Without motion, in a stage that has another size now, and otherwise, the picture
// changes at once.
#include "app/stage/scene.h"

namespace tilereel::stage {

// Call it once per frame, before drawing. `replaced`: the replay is another one than in the frame
// before.
void begin_glide(StageView& view, const Workbench& workbench, const Look& look, bool replaced);
// Call it after drawing: keeps what the next glide starts from.
void keep_for_glide(Scene& scene);

// The share of the way, from 0 to 1. 1: nothing glides.
[[nodiscard]] float glide_share(const Scene& scene);
// Where a word of a shared array is during the glide. `place`: where it ends. nullopt: it had no
// place before, so it does not glide.
[[nodiscard]] std::optional<Rect> gliding_place(const Scene& scene, const SharedView& view,
                                                Element element, const Rect& place);
// The opacity of padding and of words that had no place before, from 0 to 1. They appear where they
// are when the others have nearly arrived, so they do not cross what still glides.
[[nodiscard]] float appearing(const Scene& scene);
// Where the heading of an array is during the glide: it moves with the array's words.
[[nodiscard]] ImVec2 gliding_title(const Scene& scene, const SharedView& view);
// Whether a word on its way is hidden: it passes behind the banks and what is said below them.
[[nodiscard]] bool behind_banks(const Scene& scene, const Rect& word);
// Draws the words on their way. `looks`: by element, row by row.
void draw_gliding_words(Scene& scene, const SharedView& view, const std::vector<Cell>& looks);

// The number of wavefronts that is shown during the glide. nullopt: nothing glides, or the number
// does not change.
[[nodiscard]] std::optional<std::uint32_t> gliding_wavefronts(const Scene& scene);

}  // namespace tilereel::stage
