#pragma once
// A view of the window as one line of text: what is recorded, where the replay stands and how it
// looks. The window copies it (Ctrl+C) for a lecture note; `tilereel --state` opens it again.
//
// "kernel=09_tiled,m=16,n=16,k=16,tile=8,pad=1,block=0:1,tick=120,theme=light,text=28": fields
// in any order; one that is missing has its default. A value's bytes other than letters, digits and
// "._-+:/@" are written as in a URL, "%20" for a blank, so a shell needs no quotes.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/navigation.h"
#include "app/workbench/compare_side.h"
#include "app/workbench/pattern_lab.h"
#include "app/workbench/view_state.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct SavedView {
    // One of the two: a kernel of the ladder with its parameters, or a CUDA program or trace file.
    std::string kernel{};
    std::optional<int> m{}, n{}, k{}, tile{}, pad{};  // nullopt: as the kernel opens
    std::optional<std::uint64_t> seed{};              // of A and B
    std::uint32_t removed_barrier = 0;                // its line; 0: none
    ThreadOrder order = ThreadOrder::kTurns;
    bool on_gpu = false;  // recorded there
    std::filesystem::path file{};
    std::vector<std::string> arguments{}, defines{};  // of a program
    std::uint32_t launch = 0;                         // likewise: the one that is shown, from 0 on

    std::string generation{};                // as Generation::id; empty: the default one
    std::uint32_t block_x = 0, block_y = 0;  // as WatchBlock
    double tick = 1;                         // as the timeline shows it, from 1 on
    StepUnit unit = StepUnit::kRequest;
    double speed = 1;
    std::optional<std::uint32_t> warp{};  // chosen; nullopt: the one of the request in flight
    std::uint32_t lane = 0;
    float zoom = 1, shared_zoom = 1;
    bool all_cells = false;  // all of A, B and C, also where no values fit
    // First column and row of C and first column of A that are shown, in cells; nullopt: the
    // picture follows what is watched.
    std::optional<std::array<float, 3>> pan{};
    std::optional<CompareSide> compared{};     // the other side of a comparison
    std::optional<PatternQuestion> pattern{};  // of the Pattern lab; nullopt: as it opens
    ViewState view{};                          // without what lies over the window
};

[[nodiscard]] std::string text_of(const SavedView& view);
// kWrongCall names the field that is wrong and what it may be. Whether the kernel can have the
// parameters is not looked at.
[[nodiscard]] Result<SavedView> parse_view(std::string_view text);

}  // namespace tilereel
