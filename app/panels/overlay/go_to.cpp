#include "app/panels/overlay/go_to.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_memory.h"
#include "app/replay/places/stops.h"
#include "app/ui/fonts/utf8.h"

namespace tilereel {
namespace {

constexpr std::string_view kGoToField = "goto.field";

// "Type a tick such as 12, or line 23, block 0,0, warp 0 or lane 5"
std::string forms_text(const Replay& replay) {
    const std::vector<std::string> examples = go_to_examples(replay);
    std::string text = "Type a tick such as " + examples.front();
    for (std::size_t i = 1; i < examples.size(); ++i)
        text += (i == 1 ? ", or " : i + 1 == examples.size() ? " or " : ", ") + examples[i];
    return text;
}

Result<GoToPlace> place_of_tick(const Replay& replay, std::uint64_t tick) {
    const Tick ticks = replay.schedule().ticks;
    if (tick < 1 || tick > ticks)
        return wrong_call("This block has the ticks 1 to " + with_commas(ticks));
    return GoToPlace{.tick = tick - 1};
}

// "Line 21 accesses no memory in this block; the lines 18, 19 and 22 do"
std::string lines_text(const Replay& replay, std::uint64_t line) {
    std::set<std::uint32_t> lines;
    for (const Step& step : replay.schedule().steps)
        if (const Site& site = replay.trace().sites[step.site]; site.file == 0)
            lines.insert(site.line);
    const std::string no = "Line " + std::to_string(line) + " accesses no memory in this block";
    constexpr std::size_t kMostNamed = 8;
    if (lines.empty() || lines.size() > kMostNamed) return no;
    if (lines.size() == 1) return no + "; line " + std::to_string(*lines.begin()) + " does";
    std::string named;
    for (const std::uint32_t each : lines)
        named += (named.empty()             ? ""
                  : each == *lines.rbegin() ? " and "
                                            : ", ") +
                 std::to_string(each);
    return no + "; the lines " + named + " do";
}

Result<GoToPlace> place_of_line(const Replay& replay, std::uint64_t line, Tick now) {
    std::optional<Tick> first;
    for (const Step& step : replay.schedule().steps) {
        const Site& site = replay.trace().sites[step.site];
        if (site.line != line || site.file != 0) continue;
        if (step.begin > now) return GoToPlace{.tick = step.begin};
        if (!first) first = step.begin;
    }
    if (!first) return wrong_call(lines_text(replay, line));
    return GoToPlace{.tick = *first};
}

Result<GoToPlace> place_of_block(const Replay& replay, std::vector<std::uint64_t> at) {
    const Dim3& grid = replay.trace().launch.grid;
    const bool is_place = at.size() <= 3;
    at.resize(3);  // coordinates that were not typed are 0
    if (!is_place || at[0] >= grid.x || at[1] >= grid.y || at[2] >= grid.z) {
        const auto name = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
            return std::to_string(x) + "," + std::to_string(y) +
                   (grid.z > 1 ? "," + std::to_string(z) : "");
        };
        return wrong_call("The grid has the blocks " + name(0, 0, 0) + " to " +
                          name(grid.x - 1, grid.y - 1, grid.z - 1));
    }
    return GoToPlace{.block = std::pair(static_cast<std::uint32_t>(at[0]),
                                        static_cast<std::uint32_t>(at[1] + at[2] * grid.y))};
}

// The thread's next request after `now`; after the last one it continues with the first. nullopt if
// there is none.
std::optional<Tick> next_request(const Replay& replay, Tick now, std::uint32_t warp,
                                 std::optional<std::uint32_t> lane) {
    const std::vector<double> stops = request_stops(replay, warp, lane);
    if (stops.empty()) return std::nullopt;
    return static_cast<Tick>(
        stop_beside(stops, static_cast<double>(now), 1).value_or(stops.front()));
}

Result<GoToPlace> place_of_warp(const Replay& replay, std::uint64_t warp, Tick now) {
    const std::uint32_t warps = replay.trace().launch.warps();
    if (warp >= warps)
        return wrong_call(warps == 1 ? "A block of this launch has one warp, warp 0"
                                     : "A block of this launch has the warps 0 to " +
                                           std::to_string(warps - 1));
    const auto number = static_cast<std::uint32_t>(warp);
    return GoToPlace{.tick = next_request(replay, now, number, std::nullopt), .warp = number};
}

Result<GoToPlace> place_of_lane(const Replay& replay, std::uint64_t lane, Tick now,
                                std::uint32_t warp) {
    if (lane >= kWarpSize) return wrong_call("A warp has the lanes 0 to 31");
    const auto number = static_cast<std::uint32_t>(lane);
    return GoToPlace{.tick = next_request(replay, now, warp, number), .warp = warp, .lane = number};
}

}  // namespace

std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto number = whole_number<std::uint64_t>(trimmed(text.substr(0, comma)));
        if (!number) return std::nullopt;
        numbers.push_back(*number);
        if (comma == text.size()) return numbers;
        text.remove_prefix(comma + 1);
    }
}

Result<GoToPlace> place_asked_for(const Replay& replay, std::string_view text, Tick now,
                                  std::uint32_t warp) {
    text = trimmed(text);
    std::string word;
    while (!text.empty() && ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z')) {
        word += static_cast<char>(text[0] | 0x20);
        text.remove_prefix(1);
    }
    const auto numbers = numbers_in(text);
    // "l" means "line", because that comes first in the list.
    constexpr std::array<std::string_view, 5> kWords = {"tick", "line", "block", "warp", "lane"};
    const auto named =
        std::ranges::find_if(kWords, [&](std::string_view each) { return each.starts_with(word); });
    if (!numbers || named == kWords.end()) return wrong_call(forms_text(replay));
    const std::uint64_t number = numbers->front();
    if (*named == "block") return place_of_block(replay, *numbers);
    if (numbers->size() > 1) return wrong_call(forms_text(replay));
    if (*named == "tick") return place_of_tick(replay, number);
    if (*named == "line") return place_of_line(replay, number, now);
    if (*named == "warp") return place_of_warp(replay, number, now);
    return place_of_lane(replay, number, now, warp);
}

std::vector<std::string> go_to_examples(const Replay& replay) {
    const Launch& launch = replay.trace().launch;
    std::vector<std::string> examples{std::to_string((replay.schedule().ticks + 1) / 2)};
    const std::vector<Step>& steps = replay.schedule().steps;
    const auto of_main_file = [&](const Step& step) {
        return replay.trace().sites[step.site].file == 0;
    };
    // The last line that accesses memory: a program often ends with the line that stores.
    if (const auto last = std::find_if(steps.rbegin(), steps.rend(), of_main_file);
        last != steps.rend())
        examples.push_back("line " + std::to_string(replay.trace().sites[last->site].line));
    const Dim3& grid = launch.grid;
    examples.push_back("block " + std::to_string(grid.x - 1) + "," + std::to_string(grid.y - 1) +
                       (grid.z > 1 ? "," + std::to_string(grid.z - 1) : ""));
    examples.push_back("warp " + std::to_string(std::max(launch.warps(), 1u) - 1));
    examples.push_back("lane " +
                       std::to_string(std::min<std::uint32_t>(launch.threads(), kWarpSize) - 1));
    return examples;
}

void PanelMemory::open_go_to() {
    GoToMemory& memory = parts_->go_to;
    memory.problem.clear();
    memory.edit.emplace();
    memory.edit->begin("");
    claim_keys(kGoToField, KeysOf::kWaiting);
}

namespace {

Commands commands_of(const GoToPlace& place, const Workbench& workbench) {
    Commands commands;
    if (place.block) commands.push_back(WatchBlock{place.block->first, place.block->second});
    if (place.warp) commands.push_back(ChooseWarp{place.warp});
    if (place.lane) commands.push_back(ChooseLane{*place.lane});
    if (!place.tick) return commands;
    if (workbench.playing()) commands.push_back(PlayPause{});
    commands.push_back(SeekTo{static_cast<double>(*place.tick), false});
    return commands;
}

// "Go to: 12 (a tick), line 23, block 0,0, warp 0, lane 5"
std::string examples_text(const Replay& replay) {
    std::string text;
    for (const std::string& example : go_to_examples(replay))
        text += text.empty() ? "Go to: " + example + " (a tick)" : ", " + example;
    return text;
}

// Shows the problem and selects the text, so that the next character replaces it.
void refuse(GoToMemory& memory, std::string problem) {
    memory.problem = std::move(problem);
    memory.edit->begin(memory.edit->text());
}

std::optional<EditEnd> draw_field(const Look& look, const Rect& card, GoToMemory& memory,
                                  const std::string& examples) {
    const Palette& colors = look.colors();
    const float px = type_px(look, 16), pad = look.pad();
    const std::string words = memory.problem.empty() ? examples : memory.problem;
    const TextStyle style{Face::kRegular, px,
                          memory.problem.empty() ? colors.ink2 : colors.conflict};
    draw_text({card.x + pad, card.y + 1.1f * px}, words, shrunk(style, words, card.w - 2 * pad));
    const Rect field{card.x + pad, card.y + 2.0f * px, card.w - 2 * pad, 1.8f * px};
    draw_box(field, colors.panel, colors.accent, look.frame(), look.corner());
    register_widget(kGoToField, field);
    return memory.edit->draw(kGoToField, field.inset(look.tight()), {Face::kMono, px, colors.ink});
}

}  // namespace

Commands draw_go_to(const Look& look, const Rect& foot, const Workbench& workbench,
                    PanelMemory& panels) {
    GoToMemory& memory = panels.parts().go_to;
    // The prompt goes to places of the replay, so it closes when another page is shown.
    if (workbench.view().mode != WindowMode::kReplay) memory.edit.reset();
    if (!memory.edit) return {};
    const Replay* replay = workbench.replay();
    Commands commands;
    const std::string before = memory.edit->text();
    const float px = type_px(look, 16);
    const float width = std::min(foot.w, 42 * px), height = std::round(4.2f * px);
    const Rect card{std::round(foot.center().x - width / 2), foot.bottom() - height, width, height};
    begin_card(look, "goto", foot, card, false);
    const std::optional<EditEnd> end = draw_field(
        look, card, memory, replay == nullptr ? "Nothing is recorded yet" : examples_text(*replay));
    const bool beside = ImGui::IsMouseClicked(0) && !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    if (memory.edit->text() != before) memory.problem.clear();
    bool goes = false;
    if (end == EditEnd::kEnter && replay == nullptr) refuse(memory, "Nothing is recorded yet");
    if (end == EditEnd::kEnter && replay != nullptr) {
        const std::uint32_t warp = workbench.watched_thread().warp(replay->state(), *replay);
        const Result<GoToPlace> place =
            place_asked_for(*replay, memory.edit->text(), replay->state().tick, warp);
        goes = place.has_value();
        if (place)
            commands = commands_of(*place, workbench);
        else
            refuse(memory, place.error().message);
    }
    if (goes || beside || (end && end != EditEnd::kEnter)) memory.edit.reset();
    return commands;
}

}  // namespace tilereel
