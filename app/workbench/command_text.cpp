#include "app/workbench/command_text.h"

#include <map>

#include "app/workbench/command_fields.h"
#include "app/workbench/command_values.h"

namespace tilereel {
namespace {

// The names of a family's commands, in the order of its types.
template <class Family>
struct CommandNames;
template <>
struct CommandNames<PlayCommand> {
    static constexpr std::array kAll = {
        "play_pause", "step_forward", "step_back", "part_forward", "part_back",   "phase_forward",
        "phase_back", "go_to_start",  "go_to_end", "toggle_loop",  "finish_step", "seek_to",
        "seek_both",  "set_unit",     "set_speed", "change_speed"};
};
template <>
struct CommandNames<LaunchCommand> {
    static constexpr std::array kAll = {"watch_block",
                                        "set_kernel",
                                        "set_parameters",
                                        "watch_kernel",
                                        "set_tile_by_occupancy",
                                        "take_suggestion",
                                        "set_generation",
                                        "set_recorder",
                                        "remove_barrier",
                                        "set_thread_order",
                                        "find_failing_order",
                                        "toggle_pad",
                                        "back_to_opening",
                                        "cancel_recording",
                                        "compare",
                                        "close_comparison",
                                        "open_trace"};
};
template <>
struct CommandNames<ProgramCommand> {
    static constexpr std::array kAll = {"open_program", "run_program_again", "add_missing_files",
                                        "choose_launch", "name_product"};
};
template <>
struct CommandNames<ViewCommand> {
    static constexpr std::array kAll = {
        "set_theme",   "toggle_theme",        "set_text_size",      "change_text_size",
        "set_motion",  "show_heat",           "set_line_figure",    "toggle_full_screen",
        "toggle_help", "toggle_introduction", "toggle_phase_table", "select_tab",
        "set_page",    "show_next_side",      "dismiss_message",    "toggle_presenting",
        "use_tool",    "draw_curtain",        "set_time_size"};
};
template <>
struct CommandNames<PictureCommand> {
    static constexpr std::array kAll = {"choose_warp",
                                        "choose_lane",
                                        "next_warp",
                                        "next_lane",
                                        "set_zoom",
                                        "name_elements",
                                        "show_as_arrays",
                                        "show_tensor_picture",
                                        "choose_tensor_product",
                                        "enlarge_fragment",
                                        "close_finding"};
};
template <>
struct CommandNames<LearnCommand> {
    static constexpr std::array kAll = {"open_lesson",        "reload_lesson",  "close_lesson",
                                        "open_scene_replay",  "leave_lesson",   "step_lesson",
                                        "go_to_lesson_scene", "toggle_quiz",    "step_quiz",
                                        "choose_in_quiz",     "ask_pattern",    "open_exercise",
                                        "judge_exercise",     "close_exercise", "open_hint",
                                        "open_advice",        "show_check"};
};
template <>
struct CommandNames<RaceAction> {
    static constexpr std::array kAll = {"find_device",      "start_race",
                                        "cancel_race",      "choose_contenders",
                                        "toggle_contender", "toggle_size",
                                        "set_repeats",      "set_caches",
                                        "start_sweep",      "toggle_line",
                                        "highlight_line",   "solo_line",
                                        "choose_lines",     "select_point",
                                        "select_size",      "set_logarithmic",
                                        "show_race_plot",   "show_race_side",
                                        "show_race_tab",    "set_intensity",
                                        "open_race",        "show_first_recorded",
                                        "describe_races",   "show_own_race",
                                        "compare_race",     "save_race",
                                        "picture_saved",    "race_pair",
                                        "close_pair",       "dismiss_race_message",
                                        "race_own",         "toggle_own",
                                        "set_own_call",     "set_own_values"};
};

template <>
struct CommandNames<WindowCommand> {
    static constexpr std::array kAll = {"open_file",         "save_picture", "copy_picture",
                                        "save_race_picture", "trust_folder", "open_in_editor",
                                        "save_source",       "new_program"};
};

constexpr std::string_view kOfRight = "right ";

// The fields of a text, and which of them were read.
struct ReadFields {
    std::map<std::string, std::string> given;
    std::string wrong{};  // "tick cannot be 'x'"; empty: nothing is wrong

    template <class Value>
    void operator()(const char* name, Value& value) {
        const auto found = given.find(name);
        if (found == given.end()) return;
        if (!read_value(found->second, value) && wrong.empty())
            wrong = std::string(name) + " cannot be '" + found->second + "'";
        given.erase(found);
    }
};

struct WrittenFields {
    FieldWriter writer{};

    template <class Value>
    void operator()(const char* name, const Value& value) {
        writer.put(name, value_text(value));
    }
    template <class Value>
    void operator()(const char* name, const std::optional<Value>& value) {
        if (value) writer.put(name, value_text(*value));
    }
};

template <class Family>
std::string text_of_family(const Family& family) {
    const std::string name = CommandNames<Family>::kAll[family.index()];
    return std::visit(
        [&]<class Type>(const Type& command) {
            Type copy = command;
            WrittenFields written;
            fields_of(copy, written);
            const std::string fields = std::move(written.writer).text();
            return fields.empty() ? name : name + " " + fields;
        },
        family);
}

template <class Family, std::size_t kIndex>
std::optional<Command> read_type(ReadFields& fields) {
    std::variant_alternative_t<kIndex, Family> command{};
    fields_of(command, fields);
    return Command(Family(std::in_place_index<kIndex>, std::move(command)));
}

// nullopt: the family has no command of this name.
template <class Family>
std::optional<Command> read_family(std::string_view name, ReadFields& fields) {
    static_assert(CommandNames<Family>::kAll.size() == std::variant_size_v<Family>);
    std::optional<Command> read;
    const auto read_if = [&]<std::size_t kIndex>() {
        if (name == CommandNames<Family>::kAll[kIndex]) read = read_type<Family, kIndex>(fields);
    };
    [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
        (read_if.template operator()<kIndices>(), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Family>>());
    return read;
}

template <class... Families>
std::optional<Command> read_any(std::string_view name, ReadFields& fields,
                                const std::variant<Families...>*) {
    std::optional<Command> read;
    (void)((read = read_family<Families>(name, fields)) || ...);
    return read;
}

template <class... Families>
std::vector<std::string_view> all_names(const std::variant<Families...>*) {
    std::vector<std::string_view> names;
    const auto add = [&](const auto& family) {
        names.insert(names.end(), family.begin(), family.end());
    };
    (add(CommandNames<Families>::kAll), ...);
    return names;
}

constexpr const Command::Value* kFamilies = nullptr;

}  // namespace

std::string text_of(const Command& command) {
    const std::string text =
        std::visit([](const auto& family) { return text_of_family(family); }, command.value());
    return (command.of_right() ? std::string(kOfRight) : "") + text;
}

Result<Command> parse_command(std::string_view line) {
    const bool right = line.starts_with(kOfRight);
    if (right) line.remove_prefix(kOfRight.size());
    const std::string name(line.substr(0, line.find(' ')));
    line.remove_prefix(std::min(name.size() + 1, line.size()));
    ReadFields fields;
    const Status split = for_each_field(line, [&](const std::string& field, const auto& value) {
        if (!value || !fields.given.emplace(field, *value).second)
            return Status(wrong_call("in " + name + ", '" + field + "' is no field with a value"));
        return Status(Done{});
    });
    if (!split) return split.error();
    std::optional<Command> command = read_any(name, fields, kFamilies);
    if (!command) return wrong_call("there is no command '" + name + "'");
    if (!fields.wrong.empty()) return wrong_call("in " + name + ", " + fields.wrong);
    if (!fields.given.empty())
        return wrong_call("there is no field '" + fields.given.begin()->first + "' in " + name);
    return right ? command->on_right() : *std::move(command);
}

std::vector<std::string_view> command_names() { return all_names(kFamilies); }

}  // namespace tilereel
