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

void read_kernel(TomlKeys& keys, LessonLaunch& launch) {
    const std::string id = keys.text("kernel");
    const KernelInfo* const kernel = find_kernel(id);
    if (kernel == nullptr)
        return keys.complain_of(
            "kernel", "there is no kernel " + in_quotes(id) + "; 'tilereel kernels' lists them");
    launch = {};
    launch.request.kernel = id;
    launch.request.parameters = opening_of(*kernel);
}

void read_program(TomlKeys& keys, const std::filesystem::path& lesson, LessonLaunch& launch) {
    launch = {};
    launch.request.kernel.clear();
    launch.program = lesson.parent_path() / keys.text("program");
    const Result<FileKind> kind = kind_of_file(launch.program, "a scene", {FileKind::kProgram});
    if (!kind) keys.complain_of("program", kind.error().message);
}

void read_barrier(TomlKeys& keys, const KernelInfo& kernel, RecordRequest& request) {
    if (!keys.has("without_barrier")) return;
    const int number = keys.whole("without_barrier", 0, 0);
    request.removed_barrier = 0;
    if (number == 0) return;
    if (number > static_cast<int>(kernel.barriers.size()))
        return keys.complain_of("without_barrier", std::string(kernel.title) + " has " +
                                                       std::to_string(kernel.barriers.size()) +
                                                       " barriers; 1 is the first of them");
    request.removed_barrier = static_cast<std::uint32_t>(kernel.barriers[number - 1].line);
}

void read_order(TomlKeys& keys, RecordRequest& request) {
    const std::string word = keys.text("order");
    if (word.empty()) return;
    request.find_failing_order = is_adversarial_order(word);
    if (request.find_failing_order) return;
    const std::optional<ThreadOrder> named = order_named(word);
    if (!named)
        return keys.complain_of("order",
                                "an order is \"round-robin\", \"warps\", \"warps-backward\", "
                                "\"lanes\" or \"adversarial\"");
    request.order = *named;
}

void read_block(TomlKeys& keys, LessonLaunch& launch) {
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

void read_parameters(TomlKeys& keys, LessonLaunch& launch) {
    KernelParameters& p = launch.request.parameters;
    const KernelInfo* const kernel = find_kernel(launch.request.kernel);
    p.m = keys.whole("m", 1, p.m);
    p.n = keys.whole("n", 1, p.n);
    p.k = keys.whole("k", 1, p.k);
    p.tile = keys.whole("tile", 1, p.tile);
    p.pad = keys.whole("pad", 0, p.pad);
    if (kernel == nullptr) return;
    read_barrier(keys, *kernel, launch.request);
    read_order(keys, launch.request);
    for (const char* key : {"kernel", "m", "n", "k", "tile", "pad"}) {
        if (!keys.has(key)) continue;
        if (const auto shape = validate(*kernel, p); !shape)
            keys.complain_of(key, shape.error().message);
        return;
    }
}

void read_generation(TomlKeys& keys, LessonLaunch& launch) {
    const std::string id = keys.text("generation");
    if (id.empty()) return;
    const Generation* const generation = find_generation(id);
    if (generation == nullptr)
        return keys.complain_of("generation", "there is no generation " + in_quotes(id) +
                                                  "; write a compute capability such as \"9.0\"");
    launch.generation = generation;
}

void read_launch(TomlKeys& keys, const LessonReading& reading, LessonScene& scene) {
    const std::vector<LessonScene>& scenes = reading.lesson.scenes;
    const auto before = std::ranges::find_if(scenes.rbegin(), scenes.rend(),
                                             [](const LessonScene& each) { return !each.race; });
    if (before != scenes.rend()) scene.launch = before->launch;
    const bool named = keys.has("kernel") || keys.has("program");
    if (!named && before == scenes.rend())
        keys.complain(
            scene.line,
            "the first scene must name a kernel or a program, such as kernel = \"09_tiled\"");
    if (keys.has("kernel"))
        read_kernel(keys, scene.launch);
    else if (keys.has("program"))
        read_program(keys, reading.lesson.file, scene.launch);
    scene.launch.launch =
        static_cast<std::uint32_t>(keys.whole("launch", 0, static_cast<int>(scene.launch.launch)));
    read_block(keys, scene.launch);
    read_generation(keys, scene.launch);
    read_parameters(keys, scene.launch);
}

// The second launch of a comparison. Keys that this table lacks are taken from the scene's launch.
void read_compare(TomlKeys& keys, LessonReading& reading, LessonScene& scene) {
    const toml::node* const node = keys.take("compare");
    if (node == nullptr) return;
    const toml::table* const table = node->as_table();
    if (table == nullptr || table->empty())
        return keys.complain_of("compare", "compare says what differs, such as {pad = 1}");
    LessonLaunch other = scene.launch;
    TomlKeys fields(*table, keys.line("compare"), reading.mistakes);
    if (fields.has("kernel") && fields.has("program"))
        fields.complain_of("program", "name a kernel or a program, not both");
    else if (fields.has("kernel"))
        read_kernel(fields, other);
    else if (fields.has("program"))
        read_program(fields, reading.lesson.file, other);
    other.launch =
        static_cast<std::uint32_t>(fields.whole("launch", 0, static_cast<int>(other.launch)));
    read_block(fields, other);
    read_generation(fields, other);
    read_parameters(fields, other);
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

Result<Contender> contender_of_words(const std::string& text) {
    std::istringstream words(text);
    Contender contender;
    words >> contender.kernel;
    const KernelInfo* const kernel = find_kernel(contender.kernel);
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
        if (scene.other && scene.picture == LessonPicture::kBanks)
            keys.complain_of("picture", "two replays are compared by their stages, not by banks");
        if (scene.other && scene.predict)
            keys.complain_of("predict", "a question is asked of one replay, not of two");
    }
    keys.refuse_unknown(scene.race ? "a race" : "a scene");
    reading.lesson.scenes.push_back(std::move(scene));
}

}  // namespace tilereel
