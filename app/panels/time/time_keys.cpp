#include "app/panels/time/time_keys.h"

#include <algorithm>

#include "app/panels/time/time_views.h"
#include "app/workbench/time/time_shown.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

// The next smaller or larger size at which the kernel can be estimated.
Commands next_size(const Workbench& workbench, int direction) {
    const RecordRequest* const asked = workbench.timed_request();
    const KernelInfo* const kernel = asked == nullptr ? nullptr : find_kernel(asked->kernel);
    if (kernel == nullptr || workbench.recording() == nullptr) return {};
    const KernelParameters& shown = workbench.recording()->request.parameters;
    const std::vector<int> sizes = timed_sizes(*kernel, shown);
    // The first, 0, stands for the recorded sizes.
    const auto now =
        asked->parameters == shown ? sizes.begin() : std::ranges::find(sizes, asked->parameters.m);
    const auto to = now - sizes.begin() + direction;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(sizes.size())) return {};
    return {SetTimeSize{sizes[static_cast<std::size_t>(to)]}};
}

void choose(TimeMemory& memory, std::size_t count, int direction) {
    if (count == 0) return;
    const std::size_t last = count - 1;
    memory.chosen = !memory.chosen       ? (direction > 0 ? 0 : last)
                    : direction > 0      ? (*memory.chosen + 1) % count
                    : *memory.chosen > 0 ? *memory.chosen - 1
                                         : last;
    memory.reveals = true;
    memory.view = TimeMemory::View::kChanges;
}

}  // namespace

Commands commands_of_time_key(const KeyPress& press, const Workbench& workbench,
                              PanelMemory& panels) {
    TimeMemory& memory = panels.parts().time;
    const TimeAnswer* const answer = workbench.time_answer();
    const std::size_t changes =
        answer != nullptr && answer->launch ? answer->launch->changes.size() : 0;
    switch (press.key) {
        case Key::kTab:
            choose(memory, changes, press.shift ? -1 : 1);
            return {};
        case Key::kDown:
            choose(memory, changes, 1);
            return {};
        case Key::kUp:
            choose(memory, changes, -1);
            return {};
        case Key::kLeft:
            return next_size(workbench, -1);
        case Key::kRight:
            return next_size(workbench, 1);
        case Key::kEnter:
            if (press.repeat || !memory.chosen || *memory.chosen >= changes) return {};
            return commands_of_change(workbench, *listed_changes(*answer->launch)[*memory.chosen]);
        default:
            break;
    }
    if (press.character == U'p' && !press.repeat && !workbench.is_of_program())
        return {TogglePad{}};
    return {};
}

}  // namespace tilereel
