#include "app/workbench/saved_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "app/workbench/view_values.h"
#include "instrumentation/analysis/generation.h"
#include "instrumentation/trace/thread_order.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

constexpr int kLongest = 1 << 16;  // bytes of a view's text
constexpr std::array kPageNames = {"replay", "race", "patterns", "lessons"};    // by WindowMode
constexpr std::array kTabNames = {"source", "request", "counts", "variables"};  // by SideTab
constexpr std::array kHeatNames = {"off", "global", "shared"};                  // by Heat
constexpr std::array kLineFigureNames = {"ticks", "accesses", "sectors", "wavefronts",
                                         "lanes_off"};  // by LineFigure
static_assert(kLineFigureNames.size() == kLineFigures);
constexpr std::array kSidesNames = {"both", "left", "right"};         // by SidesShown
constexpr std::array kUnitNames = {"phase", "request", "wavefront"};  // by StepUnit

template <class Enum, std::size_t kCount>
bool read_name(std::string_view text, const std::array<const char*, kCount>& names, Enum& value) {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (text != names[i]) continue;
        value = static_cast<Enum>(i);
        return true;
    }
    return false;
}

bool read_block(std::string_view text, SavedView& view) {
    const std::size_t colon = text.find(':');
    constexpr std::uint32_t kMost = 0x7fffffff;
    return colon != std::string_view::npos &&
           read_number(text.substr(0, colon), 0u, kMost, view.block_x) &&
           read_number(text.substr(colon + 1), 0u, kMost, view.block_y);
}

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

template <class Number>
bool read_optional(std::string_view text, Number least, Number most,
                   std::optional<Number>& number) {
    Number value{};
    if (!read_number(text, least, most, value)) return false;
    number = value;
    return true;
}

// One field of a saved view. `read` returns false if the value is not what `may_be` says.
struct Field {
    const char* name;
    const char* may_be;
    bool (*read)(const std::string& value, SavedView& view);
};

constexpr int kMostExtent = 1 << 20;
constexpr std::uint64_t kMostSeed = ~std::uint64_t{0} >> 1;

template <auto kMember>
bool read_extent(const std::string& value, SavedView& view) {
    return read_optional(value, 1, kMostExtent, view.*kMember);
}

constexpr std::array kFields = {
    Field{"kernel", "the id of a kernel",
          [](const std::string& value, SavedView& view) {
              view.kernel = value;
              return find_kernel(value) != nullptr;
          }},
    Field{"m", "a whole number from 1 on", read_extent<&SavedView::m>},
    Field{"n", "a whole number from 1 on", read_extent<&SavedView::n>},
    Field{"k", "a whole number from 1 on", read_extent<&SavedView::k>},
    Field{"tile", "a whole number from 1 on", read_extent<&SavedView::tile>},
    Field{"pad", "a whole number, 0 or more",
          [](const std::string& value, SavedView& view) {
              return read_optional(value, 0, kMostExtent, view.pad);
          }},
    Field{"seed", "a whole number, 0 or more",
          [](const std::string& value, SavedView& view) {
              return read_optional(value, std::uint64_t{0}, kMostSeed, view.seed);
          }},
    Field{"without_barrier", "the line of a barrier",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1u, 65535u, view.removed_barrier);
          }},
    Field{"order", "round-robin, warps, warps-backward or lanes",
          [](const std::string& value, SavedView& view) {
              const auto order = order_named(value);
              view.order = order.value_or(view.order);
              return order.has_value();
          }},
    Field{"record", "cpu or gpu",
          [](const std::string& value, SavedView& view) {
              view.on_gpu = value == "gpu";
              return view.on_gpu || value == "cpu";
          }},
    Field{"file", "the path of a CUDA program or a trace",
          [](const std::string& value, SavedView& view) {
              view.file = value;
              return !value.empty();
          }},
    Field{"argument", "an argument of the program",
          [](const std::string& value, SavedView& view) {
              view.arguments.push_back(value);
              return true;
          }},
    Field{"define", "a macro of the program",
          [](const std::string& value, SavedView& view) {
              view.defines.push_back(value);
              return !value.empty();
          }},
    Field{"launch", "the number of a launch, from 0 on",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 0u, 0x7fffffffu, view.launch);
          }},
    Field{"generation", "a GPU's compute capability, such as 9.0",
          [](const std::string& value, SavedView& view) {
              view.generation = value;
              return find_generation(value) != nullptr;
          }},
    Field{"block", "column:row of the grid",
          [](const std::string& value, SavedView& view) { return read_block(value, view); }},
    Field{"tick", "a number from 1 on",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1.0, 1e18, view.tick);
          }},
    Field{"unit", "phase, request or wavefront",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kUnitNames, view.unit);
          }},
    Field{"speed", "a number above 0",
          [](const std::string& value, SavedView& view) {
              return read_number(value, 1e-3, 1e3, view.speed);
          }},
    Field{"warp", "a warp's number, 0 to 31",
          [](const std::string& value, SavedView& view) { return read_optional(value, 0u, 31u, view.warp); }},
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
    Field{"all_cells", "0 or 1",
          [](const std::string& value, SavedView& view) {
              return read_yes(value, view.all_cells);
          }},
    Field{"pan", "column:row:depth, each 0 or more",
          [](const std::string& value, SavedView& view) { return read_pan(value, view); }},
    Field{"page", "replay, race, patterns or lessons",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kPageNames, view.view.mode);
          }},
    Field{"tab", "source, request, counts or variables",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kTabNames, view.view.tab);
          }},
    Field{"phase_table", "0 or 1",
          [](const std::string& value, SavedView& view) {
              return read_yes(value, view.view.phase_table);
          }},
    Field{"heat", "off, global or shared",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kHeatNames, view.view.heat);
          }},
    Field{"lines", "ticks, accesses, sectors, wavefronts or lanes_off",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kLineFigureNames, view.view.line_figure);
          }},
    Field{"motion", "on or off",
          [](const std::string& value, SavedView& view) {
              view.view.motion = value == "on";
              return view.view.motion || value == "off";
          }},
    Field{"compare", "kernel:m:n:k:tile:pad:barrier:generation, or a file and a generation",
          [](const std::string& value, SavedView& view) {
              view.compared = parse_side(value);
              return view.compared.has_value();
          }},
    Field{"sides", "both, left or right",
          [](const std::string& value, SavedView& view) {
              return read_name(value, kSidesNames, view.view.sides);
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

Status read_field(std::string_view field, SavedView& view) {
    const std::size_t equals = field.find('=');
    const std::string name(field.substr(0, equals));
    for (const Field& each : kFields) {
        if (name != each.name) continue;
        const auto value = equals == std::string_view::npos ? std::optional<std::string>()
                                                            : decoded(field.substr(equals + 1));
        if (value && each.read(*value, view)) return Done{};
        return wrong_call("in the saved view, " + name + " is " + each.may_be + ", not '" +
                          value.value_or("") + "'");
    }
    return wrong_call("a saved view has no field '" + name + "'");
}

// Writes fields of a view; put_unless() only if the value differs from the default.
class Writer {
  public:
    void put(std::string_view name, std::string_view value) {
        text_ += (text_.empty() ? "" : ",") + std::string(name) + "=" + encoded(value);
    }
    template <class Value>
    void put_unless(std::string_view name, const Value& value, const Value& usual) {
        if (value == usual) return;
        if constexpr (std::is_floating_point_v<Value>)
            put(name, decimal(value));
        else
            put(name, std::to_string(value));
    }
    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    std::string text_;
};

void put_kernel(Writer& writer, const SavedView& view) {
    writer.put("kernel", view.kernel);
    for (const auto& [name, value] :
         {std::pair("m", view.m), std::pair("n", view.n), std::pair("k", view.k),
          std::pair("tile", view.tile), std::pair("pad", view.pad)})
        if (value) writer.put(name, std::to_string(*value));
    if (view.seed) writer.put("seed", std::to_string(*view.seed));
    writer.put_unless("without_barrier", view.removed_barrier, 0u);
    if (view.order != ThreadOrder::kRoundRobin) writer.put("order", name_of(view.order));
    if (view.on_gpu) writer.put("record", "gpu");
}

void put_file(Writer& writer, const SavedView& view) {
    writer.put("file", view.file.string());
    for (const std::string& argument : view.arguments) writer.put("argument", argument);
    for (const std::string& define : view.defines) writer.put("define", define);
    writer.put_unless("launch", view.launch, 0u);
}

}  // namespace

std::string text_of(const SavedView& view) {
    Writer writer;
    if (!view.kernel.empty())
        put_kernel(writer, view);
    else
        put_file(writer, view);
    if (!view.generation.empty()) writer.put("generation", view.generation);
    if (view.block_x != 0 || view.block_y != 0)
        writer.put("block", std::to_string(view.block_x) + ":" + std::to_string(view.block_y));
    writer.put_unless("tick", view.tick, 1.0);
    const ViewState usual{};
    if (view.unit != StepUnit::kRequest)
        writer.put("unit", kUnitNames[static_cast<std::size_t>(view.unit)]);
    writer.put_unless("speed", view.speed, 1.0);
    if (view.warp) writer.put("warp", std::to_string(*view.warp));
    writer.put_unless("lane", view.lane, 0u);
    writer.put_unless("zoom", view.zoom, 1.0f);
    writer.put_unless("shared_zoom", view.shared_zoom, 1.0f);
    if (view.all_cells) writer.put("all_cells", "1");
    if (view.pan)
        writer.put("pan", decimal((*view.pan)[0]) + ":" + decimal((*view.pan)[1]) + ":" +
                              decimal((*view.pan)[2]));
    if (view.view.mode != usual.mode)
        writer.put("page", kPageNames[static_cast<std::size_t>(view.view.mode)]);
    if (view.view.tab != usual.tab)
        writer.put("tab", kTabNames[static_cast<std::size_t>(view.view.tab)]);
    if (view.view.phase_table) writer.put("phase_table", "1");
    if (view.compared) writer.put("compare", text_of(*view.compared));
    if (view.view.sides != usual.sides)
        writer.put("sides", kSidesNames[static_cast<std::size_t>(view.view.sides)]);
    if (view.pattern) writer.put("pattern", text_of(*view.pattern));
    if (view.view.heat != usual.heat)
        writer.put("heat", kHeatNames[static_cast<std::size_t>(view.view.heat)]);
    if (view.view.line_figure != usual.line_figure)
        writer.put("lines", kLineFigureNames[static_cast<std::size_t>(view.view.line_figure)]);
    if (!view.view.motion) writer.put("motion", "off");
    writer.put("theme", view.view.light ? "light" : "dark");
    writer.put("text", std::to_string(view.view.text_px));
    return std::move(writer).text();
}

Result<SavedView> parse_view(std::string_view text) {
    if (text.size() > kLongest)
        return wrong_call("a saved view has no more than 65,536 characters");
    SavedView view;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (const Status read = read_field(text.substr(0, comma), view); !read) return read.error();
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    if (view.kernel.empty() == view.file.empty())
        return wrong_call("a saved view names either a kernel or a file");
    return view;
}

}  // namespace tilereel
