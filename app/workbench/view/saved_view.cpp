#include "app/workbench/view/saved_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/workbench/view/side_text.h"
#include "app/workbench/view/view_names.h"
#include "app/workbench/view/view_values.h"

namespace tilereel {
namespace {

constexpr int kLongest = 1 << 16;  // bytes of a view's text
bool read_pan(std::string_view text, SavedView& view) {
    std::array<float, 3> pan{};
    for (float& each : pan) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        if (!read_number(text.substr(0, colon), 0.0f, 1e9f, each)) return false;
        text.remove_prefix(std::min(colon + 1, text.size()));
    }
    view.pan = pan;
    return text.empty();
}

bool read_yes(std::string_view text, bool& value) {
    value = text == "1";
    return value || text == "0";
}

using Field = TextField<SavedView>;

// Besides the fields of a subject.
constexpr std::array kFields = {
    Field{"tick", "a number from 1 on",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1.0, 1e18, view.tick);
          }},
    Field{"unit", "phase, request or wavefront",
          [](const std::string& value, SavedView& view) { return read_name(value, view.unit); }},
    Field{"speed", "a number above 0",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1e-3, 1e3, view.speed);
          }},
    Field{"warp", "a warp's number, 0 to 31",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 0u, 31u, view.warp);
          }},
    Field{"lane", "a lane's number, 0 to 31",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 0u, 31u, view.lane);
          }},
    Field{"zoom", "a number from 1 on",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1.0f, 1e4f, view.zoom);
          }},
    Field{"shared_zoom", "a number from 1 on",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1.0f, 1e4f, view.shared_zoom);
          }},
    Field{
        "all_cells", "0 or 1",
        [](const std::string& value, SavedView& view) { return read_yes(value, view.all_cells); }},
    Field{"pan", "column:row:depth, each 0 or more",
          [](const std::string& value, SavedView& view) { return read_pan(value, view); }},
    Field{
        "page", "replay, race, patterns, lessons or time",
        [](const std::string& value, SavedView& view) { return read_name(value, view.view.mode); }},
    Field{
        "tab", "source, request, counts or variables",
        [](const std::string& value, SavedView& view) { return read_name(value, view.view.tab); }},
    Field{"phase_table", "0 or 1",
          [](const std::string& value, SavedView& view) {
              return read_yes(value, view.view.phase_table);
          }},
    Field{
        "heat", "off, global or shared",
        [](const std::string& value, SavedView& view) { return read_name(value, view.view.heat); }},
    Field{"lines", "ticks, accesses, sectors, wavefronts, lanes_off or time",
          [](const std::string& value, SavedView& view) {
              return read_name(value, view.view.line_figure);
          }},
    Field{"time_size", "0 or a size up to 8192",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 0, 8192, view.view.time_size);
          }},
    Field{"motion", "on or off",
          [](const std::string& value, SavedView& view) {
              view.view.motion = value == "on";
              return view.view.motion || value == "off";
          }},
    Field{"sides", "both, left or right",
          [](const std::string& value, SavedView& view) {
              return read_name(value, view.view.sides);
          }},
    Field{"pattern", "a question of the Pattern lab as Ctrl+C copies it",
          [](const std::string& value, SavedView& view) {
              view.pattern = parse_pattern(value);
              return view.pattern.has_value();
          }},
    Field{"theme", "light or dark",
          [](const std::string& value, SavedView& view) {
              view.view.light = value == "light";
              return view.view.light || value == "dark";
          }},
    Field{"text", "a height in pixels from 14 to 32",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 14, 32, view.view.text_px);
          }},
};

Status read_field(const std::string& name, const std::optional<std::string>& value,
                  SavedView& view) {
    constexpr const char* kText = "a saved view";
    if (const TextField<Subject>* const field = find_subject_field(name))
        return read_field_of(field, name, value, view.subject, kText);
    const auto found = std::ranges::find(kFields, name, &Field::name);
    return read_field_of(found == kFields.end() ? nullptr : &*found, name, value, view, kText);
}

}  // namespace

std::string text_of(const SavedView& view) {
    FieldWriter writer;
    put_subject(writer, view.subject);
    writer.put_unless("tick", view.tick, 1.0);
    const ViewState usual{};
    if (view.unit != StepUnit::kRequest) writer.put("unit", name_in_text(view.unit));
    writer.put_unless("speed", view.speed, 1.0);
    if (view.warp) writer.put("warp", std::to_string(*view.warp));
    writer.put_unless("lane", view.lane, 0u);
    writer.put_unless("zoom", view.zoom, 1.0f);
    writer.put_unless("shared_zoom", view.shared_zoom, 1.0f);
    if (view.all_cells) writer.put("all_cells", "1");
    if (view.pan)
        writer.put("pan", decimal((*view.pan)[0]) + ":" + decimal((*view.pan)[1]) + ":" +
                              decimal((*view.pan)[2]));
    if (view.view.mode != usual.mode) writer.put("page", name_in_text(view.view.mode));
    if (view.view.tab != usual.tab) writer.put("tab", name_in_text(view.view.tab));
    if (view.view.phase_table) writer.put("phase_table", "1");
    if (view.compared) writer.put("compare", text_of(*view.compared));
    if (view.view.sides != usual.sides) writer.put("sides", name_in_text(view.view.sides));
    if (view.pattern) writer.put("pattern", text_of(*view.pattern));
    if (view.view.heat != usual.heat) writer.put("heat", name_in_text(view.view.heat));
    if (view.view.line_figure != usual.line_figure)
        writer.put("lines", name_in_text(view.view.line_figure));
    writer.put_unless("time_size", view.view.time_size, usual.time_size);
    if (!view.view.motion) writer.put("motion", "off");
    writer.put("theme", view.view.light ? "light" : "dark");
    writer.put("text", std::to_string(view.view.text_px));
    return std::move(writer).text();
}

Result<SavedView> parse_view(std::string_view text) {
    if (text.size() > kLongest)
        return wrong_call("a saved view has no more than 65,536 characters");
    SavedView view;
    std::string compared;  // says what differs from the subject, which may come after it
    const Status read = for_each_field(text, [&](const std::string& name, const auto& value) {
        if (name != "compare") return read_field(name, value, view);
        compared = value.value_or("");
        return compared.empty() ? Status(wrong_call("in a saved view, compare is what --compare "
                                                    "takes, not nothing"))
                                : Status(Done{});
    });
    if (!read) return read.error();
    TRY(check_subject(view.subject, "a saved view"));
    if (compared.empty()) return view;
    Subject side = TRY(side_of_text(compared, view.subject));
    view.compared = std::move(side);
    return view;
}

}  // namespace tilereel
