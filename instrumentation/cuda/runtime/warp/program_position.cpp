#include "instrumentation/cuda/runtime/warp/program_position.h"

#include <algorithm>

namespace tilereel::runtime {
namespace {

void loops_around(const Site* site, std::vector<const Loop*>& loops) {
    loops.assign(1, nullptr);
    for (const Loop* loop = site->loop; loop != nullptr; loop = loop->outer) loops.push_back(loop);
    std::reverse(loops.begin() + 1, loops.end());
}

}  // namespace

void ProgramPosition::go_to(const Site* site) {
    Frame& frame = frames_.back();
    thread_local std::vector<const Loop*> loops;
    loops_around(site, loops);
    std::size_t common = 0;  // the number of outer loops that the last event was in, too
    while (common < loops.size() && common < frame.loops.size() &&
           frame.loops[common].loop == loops[common])
        ++common;
    // A wait may find several copies complete, one after another at one place.
    const bool same_wait = frame.last != nullptr && frame.last->lands != 0 && site->lands != 0;
    const bool back = frame.last != nullptr && site->ordinal <= frame.last->ordinal && !same_wait;
    frame.loops.resize(common);
    if (back) ++frame.loops[common - 1].trips;
    for (std::size_t i = common; i < loops.size(); ++i) frame.loops.push_back({loops[i], 0});
    frame.last = site;
    put_path(site);
    if (site->kind == SiteKind::kEnter) frames_.emplace_back();
}

void ProgramPosition::leave() {
    if (frames_.size() > 1) {
        frames_.pop_back();
        return;
    }
    ++left_;  // the time slice began in a function that was called
    frames_.assign(1, {});
}

void ProgramPosition::put_path(const Site* site) {
    path_.assign(1, left_);
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        for (const LoopState& state : frames_[i].loops) {
            if (state.loop != nullptr)
                path_.push_back(static_cast<std::uint32_t>(state.loop->ordinal));
            path_.push_back(state.trips);
        }
        path_.push_back(i + 1 < frames_.size() ? frames_[i].last->ordinal : site->ordinal);
    }
}

}  // namespace tilereel::runtime
