#include "app/lesson/read_scene.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>

#include "app/subject/file_kind.h"
#include "instrumentation/trace/thread_order.h"
#include "kernels/catalog.h"
#include "kernels/openings.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

void set_parameters(Subject& launch, const KernelParameters& p) {
    launch.m = p.m, launch.n = p.n, launch.k = p.k, launch.tile = p.tile, launch.pad = p.pad;
}

void read_kernel(TomlKeys& keys, Subject& launch) {
    const std::string id = keys.text("kernel");
    const KernelInfo* const kernel = find_kernel(id);
    if (kernel == nullptr)
        return keys.complain_of(
            "kernel", "there is no kernel " + in_quotes(id) + "; 'tilereel kernels' lists them");
    launch = {.kernel = id};
    set_parameters(launch, opening_of(*kernel));
}

// A program or a trace, under either key.
void read_file(TomlKeys& keys, const char* key, const std::filesystem::path& lesson,
               Subject& launch) {
    launch = {.file = lesson.parent_path() / keys.text(key)};
}

// Reads a field of a subject that is a text, or a list of texts, by the subject's own reader.
void read_texts(TomlKeys& keys, const char* name, Subject& launch) {
    for (const std::string& text : keys.texts(name))
        if (const Status read =
                read_field_of(find_subject_field(name), name, text, launch, "a scene");
            !read)
            keys.complain_of(name, read.error().message);
}

// Paths are relative to the lesson's folder.
void read_program_fields(TomlKeys& keys, const std::filesystem::path& lesson, Subject& launch) {
    const std::filesystem::path folder = lesson.parent_path();
    const auto read = [&](const char* name, auto& list, bool paths) {
        if (!keys.has(name)) return;
        list.clear();
        read_texts(keys, name, launch);
        if constexpr (std::is_same_v<std::decay_t<decltype(list)>,
                                     std::vector<std::filesystem::path>>)
            for (auto& path : list) path = paths ? folder / path : path;
    };
    read("argument", launch.arguments, false);
    read("define", launch.defines, false);
    read("include", launch.include_folders, true);
    read("with", launch.more_files, true);
    read("call", launch.launch_lines, false);
    read_texts(keys, "std", launch);
    launch.launch =
        static_cast<std::uint32_t>(keys.whole("launch", 0, static_cast<int>(launch.launch)));
}

void read_barrier(TomlKeys& keys, const KernelInfo& kernel, Subject& launch) {
    if (!keys.has("without_barrier")) return;
    const int number = keys.whole("without_barrier", 0, 0);
    launch.removed_barrier = 0;
    if (number == 0) return;
    if (number > static_cast<int>(kernel.barriers.size()))
        return keys.complain_of("without_barrier", std::string(kernel.title) + " has " +
                                                       std::to_string(kernel.barriers.size()) +
                                                       " barriers; 1 is the first of them");
    launch.removed_barrier = static_cast<std::uint32_t>(kernel.barriers[number - 1].line);
}

void read_order(TomlKeys& keys, Subject& launch) {
    const std::string word = keys.text("order");
    if (word.empty()) return;
    if (!find_subject_field("order")->read(word, launch))
        keys.complain_of("order",
                         "an order is \"round-robin\", \"warps\", \"warps-backward\", "
                         "\"lanes\" or \"adversarial\"");
}

void read_block(TomlKeys& keys, Subject& launch) {
    const toml::node* const node = keys.take("block");
    if (node == nullptr) return;
    const toml::array* const list = node->as_array();
    const auto number = [&](std::size_t i) {
        return list == nullptr || list->size() != 2 ? std::nullopt
                                                    : (*list)[i].value_exact<std::int64_t>();
    };
    const auto x = number(0), y = number(1);
    if (!x || !y || *x < 0 || *y < 0)
        return keys.complain_of("block", "a block is its column and row, such as [1, 0]");
    launch.block_x = static_cast<std::uint32_t>(*x);
    launch.block_y = static_cast<std::uint32_t>(*y);
}

// Of a kernel of the ladder.
void read_parameters(TomlKeys& keys, Subject& launch) {
    const KernelInfo* const kernel = find_kernel(launch.kernel);
    if (kernel == nullptr) return;
    KernelParameters p = parameters_of(launch);
    p.m = keys.whole("m", 1, p.m);
    p.n = keys.whole("n", 1, p.n);
    p.k = keys.whole("k", 1, p.k);
    p.tile = keys.whole("tile", 1, p.tile);
    p.pad = keys.whole("pad", 0, p.pad);
    set_parameters(launch, p);
    read_barrier(keys, *kernel, launch);
    read_order(keys, launch);
    for (const char* key : {"kernel", "m", "n", "k", "tile", "pad"}) {
        if (!keys.has(key)) continue;
        if (const auto shape = validate(*kernel, p); !shape)
            keys.complain_of(key, shape.error().message);
        return;
    }
}

void read_generation(TomlKeys& keys, Subject& launch) {
    const std::string id = keys.text("generation");
    if (id.empty()) return;
    if (!find_subject_field("generation")->read(id, launch))
        keys.complain_of("generation", "there is no generation " + in_quotes(id) +
                                           "; write a compute capability such as \"9.0\"");
}

// Complains of keys of a scene that shows something else.
void refuse(TomlKeys& keys, std::initializer_list<const char*> names, const std::string& why) {
    for (const char* name : names)
        if (keys.take(name) != nullptr) keys.complain_of(name, in_quotes(name) + why);
}

// The keys that name what is recorded, and those that belong to it.
void read_subject(TomlKeys& keys, const LessonReading& reading, Subject& launch) {
    const std::filesystem::path& lesson = reading.lesson.file;
    const char* const file = keys.has("file") ? "file" : keys.has("program") ? "program" : nullptr;
    if (keys.has("kernel") && file != nullptr)
        keys.complain_of(file, "name a kernel or a file, not both");
    if (keys.has("kernel"))
        read_kernel(keys, launch);
    else if (file != nullptr)
        read_file(keys, file, lesson, launch);
    read_block(keys, launch);
    read_generation(keys, launch);
    const bool program = has_ending_of(launch.file, FileKind::kProgram);
    if (!program)
        refuse(keys, {"argument", "define", "include", "with", "call", "std", "launch"},
               " belongs to a CUDA program, and this scene shows none");
    if (is_rung(launch)) return read_parameters(keys, launch);
    refuse(keys, {"m", "n", "k", "tile", "pad", "without_barrier", "order"},
           " belongs to a kernel of the ladder, and this scene shows none");
    if (program) read_program_fields(keys, lesson, launch);
    if (file == nullptr) return;
    if (const Status sound = check_scene_file(launch); !sound)
        keys.complain_of(file, sound.error().message);
}

void read_launch(TomlKeys& keys, const LessonReading& reading, LessonScene& scene) {
    const std::vector<LessonScene>& scenes = reading.lesson.scenes;
    const auto before = std::ranges::find_if(scenes.rbegin(), scenes.rend(),
                                             [](const LessonScene& each) { return !each.race; });
    if (before != scenes.rend()) scene.launch = before->launch;
    const bool named = keys.has("kernel") || keys.has("program") || keys.has("file");
    if (!named && before == scenes.rend())
        keys.complain(
            scene.line,
            "the first scene must name a kernel or a file, such as kernel = \"09_tiled\"");
    read_subject(keys, reading, scene.launch);
}

// The second launch of a comparison. Keys that this table lacks are taken from the scene's launch.
void read_compare(TomlKeys& keys, LessonReading& reading, LessonScene& scene) {
    const toml::node* const node = keys.take("compare");
    if (node == nullptr) return;
    const toml::table* const table = node->as_table();
    if (table == nullptr || table->empty())
        return keys.complain_of("compare", "compare says what differs, such as {pad = 1}");
    Subject other = scene.launch;
    TomlKeys fields(*table, keys.line("compare"), reading.mistakes);
    if (fields.has("block"))
        fields.complain_of("block", "both sides of a comparison watch the same block");
    read_subject(fields, reading, other);
    fields.refuse_unknown("compare");
    scene.other = other;
}

LessonStop stop_of(TomlKeys& keys, int line, const std::string& words, std::string say) {
    LessonStop stop{.at = {}, .say = std::move(say), .line = line};
    if (Result<LessonMoment> moment = moment_of_words(words))
        stop.at = std::move(moment).value();
    else
        keys.complain(line, moment.error().message);
    return stop;
}

void read_stops(TomlKeys& keys, LessonScene& scene) {
    const std::string at = keys.has("at") ? keys.text("at") : "start";
    scene.stops.push_back(stop_of(keys, keys.line("at"), at, {}));
    const toml::node* const then = keys.take("then");
    if (then == nullptr) return;
    const toml::array* const list = then->as_array();
    if (list == nullptr)
        return keys.complain_of("then", "then is a list such as [\"first barrier\", \"phase 2\"]");
    for (const toml::node& node : *list) {
        const int line = line_of(node, keys.line("then"));
        if (const auto words = node.value_exact<std::string>()) {
            scene.stops.push_back(stop_of(keys, line, *words, {}));
            continue;
        }
        const toml::table* const table = node.as_table();
        const auto place = table == nullptr ? std::nullopt : (*table)["at"].value<std::string>();
        const auto say = table == nullptr ? std::nullopt : (*table)["say"].value<std::string>();
        if (!place || !say || table->size() != 2)
            keys.complain(line, "a stop is a place, or {at = \"a place\", say = \"a sentence\"}");
        else
            scene.stops.push_back(stop_of(keys, line, *place, *say));
    }
}

void read_picture(TomlKeys& keys, LessonScene& scene) {
    const std::string picture = keys.text("picture"), figure = keys.text("figure");
    if (picture == "banks")
        scene.picture = LessonPicture::kBanks;
    else if (!picture.empty() && picture != "stage")
        keys.complain_of("picture", "a picture is \"stage\" or \"banks\"");
    if (figure == "wavefronts")
        scene.figure = LessonFigure::kWavefronts;
    else if (figure == "sectors")
        scene.figure = LessonFigure::kSectors;
    else if (!figure.empty())
        keys.complain_of("figure", "a figure is \"wavefronts\" or \"sectors\"");
    scene.highlight = keys.texts("highlight");
    scene.lanes = keys.flag("lanes", false);
    scene.code = keys.flag("code", true);
    scene.predict = keys.flag("predict", false);
}

// The launch whose time is estimated, in the words of a race.
void read_time(TomlKeys& keys, LessonScene& scene) {
    if (!keys.has("time")) return;
    LessonTimed timed;
    Result<Contender> contender = contender_of_words(keys.text("time"));
    if (!contender)
        keys.complain_of("time", contender.error().message);
    else if (is_reference(*contender))
        keys.complain_of("time",
                         "an estimate is made from a recording, and a library is not recorded; "
                         "name a kernel of the ladder");
    else
        timed.contender = std::move(contender).value();
    timed.size = keys.whole("size", 1, timed.size);
    scene.timed = std::move(timed);
}

void read_race(TomlKeys& keys, LessonScene& scene) {
    LessonRace race;
    for (const std::string& words : keys.texts("race")) {
        Result<Contender> contender = contender_of_words(words);
        if (!contender)
            keys.complain_of("race", contender.error().message);
        else
            race.contenders.push_back(std::move(contender).value());
    }
    if (race.contenders.empty()) keys.complain_of("race", "name the kernels that race");
    race.size = keys.whole("size", 1, race.size);
    scene.race = std::move(race);
}

}  // namespace

Status check_scene_file(const Subject& launch) {
    TRY(kind_of_file(launch.file, "a scene", {FileKind::kProgram, FileKind::kTrace},
                     {.more_files = launch.more_files, .include_folders = launch.include_folders}));
    return Done{};
}

Result<Contender> contender_of_words(const std::string& text) {
    std::istringstream words(text);
    Contender contender;
    words >> contender.kernel;
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    if (kind_of_ending(contender.kernel)) return cannot_race(contender.kernel);
    if (kernel == nullptr && !is_reference(contender))
        return wrong_call("there is no kernel " + in_quotes(contender.kernel) +
                          "; 'tilereel kernels' lists them, and \"cublas\" is cuBLAS");
    if (kernel != nullptr && has_parameters(contender))
        contender.pad = kernel->pads.empty() ? 0 : kernel->pads.front();
    for (std::string name; words >> name;) {
        int value = 0;
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (!(words >> value) || (name != "tile" && name != "pad"))
            return wrong_call(in_quotes(text) + " is no kernel with its TILE and PAD, such as " +
                              in_quotes("09_tiled TILE 32 PAD 1"));
        (name == "tile" ? contender.tile : contender.pad) = value;
    }
    if (has_parameters(contender) && contender.tile == 0)
        return wrong_call("which TILE of " + contender.kernel + "? Write " +
                          in_quotes(contender.kernel + " TILE 32"));
    return contender;
}

void read_scene(const toml::table& table, LessonReading& reading) {
    LessonScene scene;
    scene.line = line_of(table, 1);
    TomlKeys keys(table, scene.line, reading.mistakes);
    scene.id = keys.text("id");
    scene.title = keys.text("title");
    scene.text = keys.text("text");
    scene.question = keys.text("question");
    scene.answer = keys.text("answer");
    if (scene.title.empty()) keys.complain(scene.line, "the scene has no title");
    if (scene.question.empty() != scene.answer.empty())
        keys.complain(scene.line, "a question needs an answer, and an answer a question");
    if (keys.has("race")) {
        read_race(keys, scene);
    } else {
        read_launch(keys, reading, scene);
        read_compare(keys, reading, scene);
        read_stops(keys, scene);
        read_picture(keys, scene);
        read_time(keys, scene);
        if (scene.other && scene.picture == LessonPicture::kBanks)
            keys.complain_of("picture", "two replays are compared by their stages, not by banks");
        if (scene.other && scene.predict)
            keys.complain_of("predict", "a question is asked of one replay, not of two");
    }
    keys.refuse_unknown(scene.race ? "a race" : "a scene");
    reading.lesson.scenes.push_back(std::move(scene));
}

}  // namespace tilereel
