#include "app/exercise/read_exercise.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "app/exercise/read_signature.h"
#include "app/lesson/shipped.h"
#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/toml_depth.h"
#include "instrumentation/base/files/toml_keys.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Role = ExerciseParameter::Role;

constexpr std::uint64_t kLargestExerciseBytes = 1 << 20;
constexpr int kMostPoints = 1000;                 // of a check
constexpr std::int64_t kLargestNumber = 1 << 24;  // of sizes and of whole numbers in arrays

std::string without_blanks(std::string text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    const auto first = std::ranges::find_if_not(text, is_blank);
    return {first, text.end()};
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

// "33", "33 to 100", "64 to 160 step 32"
bool read_range(std::string_view text, ExerciseParameter& parameter) {
    const auto take = [&text](std::string_view before, std::int64_t& number) {
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (!text.starts_with(before)) return false;
        text.remove_prefix(before.size());
        while (text.starts_with(' ')) text.remove_prefix(1);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc()) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    };
    if (!take("", parameter.from)) return false;
    parameter.to = parameter.from;
    if (take("to", parameter.to)) static_cast<void>(take("step", parameter.step));
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text.empty() && parameter.step >= 1 && parameter.from <= parameter.to &&
           parameter.from >= -kLargestNumber && parameter.to <= kLargestNumber;
}

class ExerciseReader {
  public:
    ExerciseReader(const toml::table& table, ExerciseReading& reading)
        : keys_(table, 1, reading.mistakes), exercise_(reading.exercise), reading_(reading) {}

    void run() {
        read_words();
        read_function();
        read_tables();
        exercise_.reference = keys_.text("reference");
        exercise_.reference_line = line_of_text();
        if (without_blanks(exercise_.reference).empty())
            keys_.complain_of("reference",
                              "the exercise has no reference: C++ that computes the right outputs "
                              "from the inputs, as in reference = \"out[0] = in[0];\"");
        exercise_.tolerance = keys_.number("tolerance", exercise_.tolerance);
        if (!(exercise_.tolerance >= 0 && exercise_.tolerance < 1))
            keys_.complain_of("tolerance", "tolerance must be 0 or more, and less than 1");
        read_checks();
        keys_.refuse_unknown("an exercise");
    }

  private:
    // Where the reference's text begins: behind """ it is the next line.
    int line_of_text() {
        const toml::node* const node = keys_.take("reference");
        const int first = keys_.line("reference");
        return node != nullptr && node->source().end.line > node->source().begin.line ? first + 1
                                                                                      : first;
    }
    void read_words() {
        exercise_.title = without_blanks(keys_.text("title"));
        exercise_.about = without_blanks(keys_.text("about"));
        exercise_.task = without_blanks(keys_.text("task"));
        exercise_.number = keys_.whole("number", 1, exercise_.number);
        exercise_.hints = keys_.texts("hints");
        if (exercise_.title.empty()) keys_.complain(1, "the exercise has no title");
        if (exercise_.task.empty()) keys_.complain(1, "the exercise has no task");
        exercise_.rung = keys_.text("rung");
        if (!exercise_.rung.empty() && find_kernel(exercise_.rung) == nullptr)
            keys_.complain_of("rung", "there is no kernel " + in_quotes(exercise_.rung) +
                                          "; 'tilereel kernels' lists them");
        if (const std::string lesson = keys_.text("lesson"); !lesson.empty()) {
            exercise_.lesson = lesson_file(lesson);
            if (exercise_.lesson.empty())
                keys_.complain_of("lesson", "there is no lesson " + in_quotes(lesson) +
                                                "; 'tilereel lesson' lists them");
        }
    }

    // A lesson beside the exercises, or one that ships; empty: there is none.
    [[nodiscard]] std::filesystem::path lesson_file(const std::string& name) const {
        std::error_code unknown;
        const std::filesystem::path beside =
            exercise_.file.parent_path() / "../lessons" / (name + ".toml");
        if (std::filesystem::is_regular_file(beside, unknown)) return beside.lexically_normal();
        return find_shipped("lessons", name).value_or(std::filesystem::path());
    }

    void read_function() {
        exercise_.function = without_blanks(keys_.text("function"));
        Result<Signature> signature = signature_of(exercise_.function);
        if (!signature) return keys_.complain_of("function", signature.error().message);
        exercise_.function_name = signature->name;
        exercise_.parameters = std::move(signature->parameters);
    }

    // sizes = {n = "100 to 200"}, arrays = {in = "n"}, values = {in = "0 to 255"}
    void read_tables() {
        if (exercise_.parameters.empty()) {
            for (const char* const name : {"sizes", "arrays", "values"}) keys_.take(name);
            return;
        }
        for_each(
            "sizes",
            [](const ExerciseParameter& p, const toml::table& sizes) {
                return p.role == Role::kSize || (p.role == Role::kScalar && sizes.contains(p.name));
            },
            [&](ExerciseParameter& size, const std::string& text, int line) {
                size.role = Role::kSize;
                if (!read_range(text, size) || size.from < 1)
                    keys_.complain(line, "write the size " + size.name +
                                             " as \"32\", \"33 to 100\" or \"64 to 160 step "
                                             "32\", from 1 on");
            });
        for_each(
            "arrays", [](const ExerciseParameter& p, const toml::table&) { return p.is_array(); },
            [](ExerciseParameter& array, const std::string& text, int) { array.extent = text; });
        for_each(
            "values",
            [](const ExerciseParameter& p, const toml::table&) {
                return p.role == Role::kInput && !p.is_real();
            },
            [&](ExerciseParameter& array, const std::string& text, int line) {
                if (!read_range(text, array))
                    keys_.complain(line, "write the values of " + array.name + " as \"0 to 255\"");
            });
    }

    // Each parameter that `belongs` needs a text in the table.
    template <class Belongs, class Read>
    void for_each(const char* name, Belongs&& belongs, Read&& read) {
        static const toml::table none;
        const toml::node* const node = keys_.take(name);
        const toml::table* const table = node == nullptr ? &none : node->as_table();
        if (table == nullptr)
            return keys_.complain_of(name, std::string("write ") + name + " as {name = \"...\"}");
        TomlKeys keys(*table, keys_.line(name), reading_.mistakes);
        for (ExerciseParameter& parameter : exercise_.parameters) {
            if (!belongs(parameter, *table)) continue;
            const std::string text = without_blanks(keys.text(parameter.name));
            if (text.empty())
                keys.complain_of(parameter.name, std::string(name) + " lacks " + parameter.name +
                                                     ", a parameter of the function");
            else
                read(parameter, text, keys.line(parameter.name));
        }
        keys.refuse_unknown(name);
    }

    void read_checks() {
        const std::vector<std::string> outputs = names_of(exercise_, Role::kOutput);
        const std::vector<std::string> sizes = names_of(exercise_, Role::kSize);
        if (!exercise_.parameters.empty() && outputs.empty())
            keys_.complain_of("function",
                              "the function has no output: a pointer that is not const");
        const toml::node* const node = keys_.take("checks");
        const toml::array* const list = node == nullptr ? nullptr : node->as_array();
        if (list == nullptr || list->empty())
            return keys_.complain_of("checks",
                                     "the exercise has no checks: checks = [\"out is right\"]");
        if (exercise_.parameters.empty()) return;  // that is the mistake to mend first
        for (const toml::node& each : *list) read_check(each, outputs, sizes);
        for (const std::string& output : outputs)
            if (std::ranges::none_of(exercise_.checks, [&](const Requirement& check) {
                    return check.kind == Requirement::Kind::kRight && check.name == output;
                }))
                keys_.complain_of("checks", "nothing checks " + output + ": add " +
                                                in_quotes(output + " is right"));
    }

    void read_check(const toml::node& node, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& sizes) {
        const int line = line_of(node, keys_.line("checks"));
        auto words = node.value_exact<std::string>();
        int points = 1;
        if (const toml::table* const table = node.as_table()) {
            TomlKeys keys(*table, line, reading_.mistakes);
            words = keys.text("check");
            points = keys.whole("points", 0, 1);
            keys.refuse_unknown("a check");
            if (points > kMostPoints)
                keys.complain_of("points",
                                 "points must be from 0 to " + std::to_string(kMostPoints));
        }
        if (!words)
            return keys_.complain(line,
                                  "write each check as text in quotation marks, or as {check = "
                                  "\"no findings\", points = 2}");
        Result<Requirement> made = requirement_of_words(*words, outputs, sizes);
        if (!made) return keys_.complain(line, made.error().message);
        made->line = line;
        made->points = points;
        exercise_.checks.push_back(*std::move(made));
    }

    TomlKeys keys_;
    Exercise& exercise_;
    ExerciseReading& reading_;
};

}  // namespace

std::vector<std::string> names_of(const Exercise& exercise, ExerciseParameter::Role role) {
    std::vector<std::string> names;
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.role == role) names.push_back(each.name);
    return names;
}

ExerciseReading exercise_of_text(std::string_view text, const std::filesystem::path& file) {
    ExerciseReading reading;
    reading.exercise.file = file;
    reading.exercise.handed_out = std::filesystem::path(file).replace_extension(".cu");
    if (const std::optional<int> deep = too_deep_line(text)) {
        reading.mistakes.push_back({*deep, "this is nested too deeply"});
        return reading;
    }
    try {
        const toml::table table = toml::parse(text);
        ExerciseReader(table, reading).run();
    } catch (const toml::parse_error& error) {
        reading.mistakes.push_back({static_cast<int>(error.source().begin.line),
                                    "this is no TOML: " + std::string(error.description())});
    }
    std::ranges::stable_sort(reading.mistakes, {}, &FileMistake::line);
    return reading;
}

ExerciseReading read_exercise(const std::filesystem::path& file) {
    const Result<std::string> text = read_regular_file(file, kLargestExerciseBytes);
    ExerciseReading reading;
    if (text)
        reading = exercise_of_text(*text, file);
    else
        reading.mistakes.push_back({0, text.error().message});
    std::error_code unknown;
    if (text && !std::filesystem::is_regular_file(reading.exercise.handed_out, unknown))
        reading.mistakes.push_back({0, "there is no " + reading.exercise.handed_out.string() +
                                           ", the file that is handed out"});
    return reading;
}

std::vector<std::filesystem::path> exercises_in(const std::filesystem::path& folder) {
    std::vector<std::pair<int, std::filesystem::path>> found;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end;
         at.increment(none))
        if (at->path().extension() == ".toml")
            found.emplace_back(read_exercise(at->path()).exercise.number, at->path());
    std::ranges::sort(found);
    std::vector<std::filesystem::path> files;
    for (const auto& [number, file] : found) files.push_back(file);
    return files;
}

}  // namespace tilereel
