#include "app/workbench/tables/datasheet.h"

#include <array>

namespace tilereel {
namespace {

// The first row whose name is a part of the device's name is used. So a longer name precedes a
// shorter one that it contains.
constexpr std::array<Datasheet, 8> kDatasheets = {{
    {"H100 80GB HBM3", 3350, 66900, 989400, "NVIDIA H100 Tensor Core GPU datasheet, SXM5"},
    {"H200", 4800, 66900, 989000, "NVIDIA H200 Tensor Core GPU datasheet, SXM"},
    {"A100-SXM4-80GB", 2039, 19500, 312000, "NVIDIA A100 Tensor Core GPU datasheet, 80GB SXM"},
    {"A100-SXM4-40GB", 1555, 19500, 312000, "NVIDIA A100 Tensor Core GPU datasheet, 40GB SXM"},
    {"V100-SXM2", 900, 15700, 0, "NVIDIA V100 Tensor Core GPU datasheet, SXM2"},
    {"Tesla T4", 320, 8100, 0, "NVIDIA T4 Tensor Core GPU datasheet"},
    {"RTX 3090 Ti", 1008, 40000, 80000, "NVIDIA Ampere GA102 GPU architecture whitepaper"},
    {"RTX 3090", 936.2, 35580, 71000, "NVIDIA Ampere GA102 GPU architecture whitepaper"},
}};

}  // namespace

const Datasheet* datasheet_of(std::string_view device) {
    for (const Datasheet& each : kDatasheets)
        if (device.find(each.device) != std::string_view::npos) return &each;
    return nullptr;
}

}  // namespace tilereel
