#include <imgui.h>

#include <memory>
#include <utility>

#include "app/cli/report/report.h"
#include "app/ladder/kernel_of_trace.h"
#include "app/shell/frame.h"
#include "app/ui/frame/ui_frame.h"
#include "app/workbench/workbench.h"
#include "instrumentation/analysis/values/value_check.h"
#include "tests/fuzz/members.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {
namespace {

// Builds two frames that show the middle of the trace, without a window and without OpenGL.
void draw(Trace trace) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1366, 768};
    io.DeltaTime = 1.0f / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    {
        WorkbenchOptions options;
        options.trace = std::move(trace);
        options.playing = false;
        options.record_on_worker = false;
        Workbench bench(std::move(options));
        FrameState state;
        if (bench.replay() != nullptr)
            bench.apply(
                Command{SeekTo{static_cast<double>(bench.replay()->schedule().ticks) / 2, false}});
        for (int frame = 0; frame < 2; ++frame) {
            begin_ui_frame();
            ImGui::NewFrame();
            draw_frame(bench, state, look_of(bench, io.DisplaySize.x, io.DisplaySize.y, frame, 0));
            ImGui::Render();
        }
    }
    ImGui::DestroyContext();
}

}  // namespace

void run_trace(Input input) {
    const MemoryFile file(zip_of(members_of(input)));
    Result<Trace> trace = open_trace(file.path(), {.memory_bytes = std::uint64_t{64} << 20});
    if (!trace) return;
    static_cast<void>(check_values(*trace));
    static_cast<void>(report_text(*trace, default_generation()));
    draw(std::move(trace).value());
}

}  // namespace tilereel::fuzz
