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

// The next or the previous of the listed changes.
void choose(TimeMemory& memory, const std::vector<const TimeChange*>& listed, int direction) {
    if (listed.empty()) return;
    const auto now = std::ranges::find_if(
        listed, [&](const TimeChange* each) { return each->what == memory.chosen; });
    const auto count = static_cast<std::ptrdiff_t>(listed.size());
    const std::ptrdiff_t from = now != listed.end() ? now - listed.begin() : direction > 0 ? -1 : 0;
    memory.chosen = listed[static_cast<std::size_t>((from + direction + count) % count)]->what;
    memory.reveals = true;
    memory.view = TimeMemory::View::kChanges;
}

}  // namespace

bool take_time_quiz_key(const KeyPress& press, TimeMemory& memory) {
    TimeQuiz& quiz = memory.quiz;
    if (!quiz.on()) return false;
    const bool digit =
        press.key == Key::kCharacter && press.character >= U'1' && press.character <= U'3';
    if (digit) quiz.choose(static_cast<std::size_t>(press.character - U'1'));
    if (press.key == Key::kPageDown) quiz.next();
    if (press.key == Key::kEscape) quiz.stop();
    return digit || press.key == Key::kPageDown || press.key == Key::kEscape;
}

Commands commands_of_time_key(const KeyPress& press, const Workbench& workbench,
                              PanelMemory& panels) {
    TimeMemory& memory = panels.parts().time;
    if (press.character == U'q' && !press.repeat) {
        memory.quiz.on() ? memory.quiz.stop() : memory.quiz.start();
        memory.view = TimeMemory::View::kChanges;
        return {};
    }
    const TimeAnswer* const answer = workbench.time_answer();
    const std::vector<const TimeChange*> listed = answer != nullptr && answer->launch
                                                      ? changes_on_page(*answer->launch, memory)
                                                      : std::vector<const TimeChange*>();
    switch (press.key) {
        case Key::kTab:
            choose(memory, listed, press.shift ? -1 : 1);
            return {};
        case Key::kDown:
            choose(memory, listed, 1);
            return {};
        case Key::kUp:
            choose(memory, listed, -1);
            return {};
        case Key::kLeft:
            return next_size(workbench, -1);
        case Key::kRight:
            return next_size(workbench, 1);
        case Key::kEnter:
            for (const TimeChange* change : listed)
                if (!press.repeat && change->what == memory.chosen)
                    return commands_of_change(workbench, *change);
            return {};
        default:
            break;
    }
    if (press.character == U'o' && !press.repeat) {
        memory.l2_order = memory.view == TimeMemory::View::kL2 ? memory.l2_order + 1 : 0;
        memory.view = TimeMemory::View::kL2;
        return {};
    }
    if (press.character == U'[' || press.character == U']') {
        const bool back = press.character == U'[';
        if (!back || memory.l2_wave > 0) memory.l2_wave += back ? -1 : 1;
        memory.view = TimeMemory::View::kL2;
        return {};
    }
    if (press.character == U'p' && !press.repeat && !workbench.is_of_program())
        return {TogglePad{}};
    return {};
}

}  // namespace tilereel
