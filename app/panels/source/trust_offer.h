#pragma once
// The offer to run a program with the user's rights, where its sandbox may be why it failed.
//
// Widget name: program.trust
#include <string>

#include "app/panels/source/launch_list.h"

namespace tilereel {

// What to say; empty: there is nothing to offer.
[[nodiscard]] std::string trust_offer_text(const OpenedProgram& program);
// The height of the offer, pixels; 0: there is none.
[[nodiscard]] float trust_offer_height(const Look& look, const OpenedProgram& program, float width);
// Draws it from the top left corner `at`.
void draw_trust_offer(ProgramScope& panel, ImVec2 at, float width);

}  // namespace tilereel
