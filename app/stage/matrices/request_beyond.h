#pragma once
// Says where a request of A or B lies whose elements are all outside the window of the matrix.
#include <optional>
#include <string>

#include "app/stage/scene.h"

namespace tilereel::stage {

// "rows 48 to 51", with an arrow to the edge beyond which they lie.
struct RequestBeyond {
    ImVec2 way{};  // one of the four directions, as a unit vector
    std::string words{};
    TextStyle style{};
    Rect plate{};  // just inside the edge; no value is drawn below it
};
// nullopt while some of the elements are visible, and while they fly: then the route says it.
[[nodiscard]] std::optional<RequestBeyond> request_beyond(const Scene& scene, ArrayId array,
                                                          const MatrixView& m);
void draw_request_beyond(const Scene& scene, const RequestBeyond& beyond);

}  // namespace tilereel::stage
