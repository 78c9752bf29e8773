#pragma once
// Commands that choose what the picture shows: the watched warp and lane, zoom and pan.
#include <cstdint>
#include <optional>
#include <variant>

#include "app/workbench/view/stage_zoom.h"

namespace tilereel {

struct ChooseWarp {
    std::optional<std::uint32_t> warp;  // nullopt: the warp of the current request, all its lanes
};
struct ChooseLane {
    std::uint32_t lane = 0;
};
// Move the choice by `by`, cyclically. Without a chosen warp, NextWarp chooses the first one or, if
// `by` is negative, the last one.
struct NextWarp {
    int by = 1;
};
struct NextLane {
    int by = 1;
};

struct SetZoom {
    StageZoom zoom;
};
struct NameElements {  // shared cells show which element they hold instead of its value
    bool named = true;
};
struct ShowAsArrays {  // a program's product is drawn as separate arrays
    bool separate = true;
};
struct ShowTensorPicture {  // of fragments, while a request works for the tensor cores
    bool shown = true;
};
struct ChooseTensorProduct {  // of a request that loads for several
    std::uint32_t product = 0;
};
struct EnlargeFragment {  // 0: A, 1: B, 2: C
    std::uint32_t fragment = 0;
};
struct CloseFinding {};  // the picture of the finding of this moment

using PictureCommand =
    std::variant<ChooseWarp, ChooseLane, NextWarp, NextLane, SetZoom, NameElements, ShowAsArrays,
                 ShowTensorPicture, ChooseTensorProduct, EnlargeFragment, CloseFinding>;

}  // namespace tilereel
