#pragma once
// The lines above a picture of tensor cores: what the request does, for which product, and the 32
// lanes of its warp, of which a click chooses one.
#include <string>
#include <vector>

#include "app/stage/tensor/tensor_scene.h"

namespace tilereel::stage {

struct TensorHead {
    std::string operation;               // "ldmatrix.x4"
    std::string warp;                    // "warp 3"
    std::vector<std::string> product{};  // about the product, longest first; the last is cut
    // A button for the next of several products or parts; empty: there is one.
    std::string next{}, next_tip{};
    std::uint32_t next_product = 0;
};

// `is_low`: two lines without the product.
[[nodiscard]] float height_of_head(const LaneScene& scene, bool is_low);
// Whether a stage of this height in pixels has a low head and no legend.
[[nodiscard]] bool has_low_head(const LaneScene& scene, float height);
void draw_tensor_head(LaneScene& scene, const Rect& rect, const TensorHead& head, bool is_low);

}  // namespace tilereel::stage
