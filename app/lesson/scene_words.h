#pragma once
// What a scene says of a request and of a race, besides its own sentences. The window and the page
// of a lesson show the same words.
#include <optional>
#include <string>

#include "app/lesson/lesson.h"
#include "app/replay/replay.h"

namespace tilereel {

// The statement that begins in the line of a site, without comments. At most three lines are
// joined.
[[nodiscard]] std::string statement_at(const Trace& trace, const Site& site);

// The large figure of a request: "32 wavefronts", "for one load of the warp; 1 is enough".
struct RequestFigure {
    std::uint32_t value = 0;
    std::string unit, detail;
    bool bad = false;  // conflicts, or most bytes moved for nothing
};
// Of the request at the replay's position. nullopt if the scene asks for no figure, or for one of
// the other memory.
[[nodiscard]] std::optional<RequestFigure> figure_of_request(const Replay& replay,
                                                             LessonFigure wanted);

// A contender with its parameters: "08 tiled_b_transposed, TILE 32, PAD 1", "cuBLAS".
[[nodiscard]] std::string name_in_bars(const Contender& contender);

}  // namespace tilereel
