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
            return commands_of_change(workbench,
                                      *changes_on_page(*answer->launch, memory)[*memory.chosen]);
        default:
            break;
    }
    if (press.character == U'p' && !press.repeat && !workbench.is_of_program())
        return {TogglePad{}};
    return {};
}

}  // namespace tilereel
