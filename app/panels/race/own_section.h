#pragma once
// The kernel of the program that is open, as a part of the settings of the next race.
#include <string>

#include "app/panels/race/race_views.h"

namespace tilereel {

// Draws from the top left corner of `rect`, and returns the height in pixels. Controls:
//   race.own (among the contenders or not) race.own.race race.own.call race.own.values
//   race.own.error.<n>
float draw_race_own(const RaceContext& race, const Rect& rect);

}  // namespace tilereel
