#include <array>
#include <utility>

#include "app/cli/options/checked_option.h"
#include "app/cli/program/own_race.h"
#include "app/cli/subcommands.h"
#include "app/export/export.h"
#include "app/subject/file_kind.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {
namespace {

constexpr std::array<std::pair<std::string_view, RaceTab>, 7> kPlots = {{
    {"gflops", RaceTab::kGflops},
    {"speedup", RaceTab::kSpeedUp},
    {"bandwidth", RaceTab::kBandwidth},
    {"roofline", RaceTab::kRoofline},
    {"sweep", RaceTab::kSweep},
    {"occupancy", RaceTab::kOccupancy},
    {"table", RaceTab::kTable},
}};

constexpr int kTextOfPage = 14, kTextOfOneView = 20;  // a single view has room for larger text

std::string plot_names(const char* separator) {
    std::string names;
    for (const auto& [name, tab] : kPlots)
        names += (names.empty() ? "" : separator) + std::string(name);
    return names;
}

}  // namespace

void RacePictureCommand::add_to(CLI::App& app) {
    race.options.no_contender = cannot_race;
    race.options.own_kernels = make_own_kernels;
    race.add_to(app);
    add_file_option(app, "--png", png, "Picture of the race to write");
    add_file_option(app, "--svg", svg, "The same as SVG");
    add_file_option(app, "--pdf", pdf, "The same as PDF");
    films.add_to(app, "Film of the race to write: its samples come one by one");
    add_look_options(app, picture);
    add_checked_option(
        app, "--plot",
        [this](const std::string& text) -> std::string {
            for (const auto& [name, tab] : kPlots)
                if (name == text) plot = tab;
            return plot ? "" : plot_names(", ");
        },
        "View in the picture (default: the whole page)", plot_names("|"));
    app.add_flag("--linear", linear, "Linear axes in the picture");
}

Result<std::string> RacePictureCommand::run() const {
    RaceCommand with_picture = race;
    if (png.empty() && svg.empty() && pdf.empty() && !films.any()) {
        if (plot || linear || picture.look_given())
            return wrong_call(
                "there is no picture to choose the look of; give --png, --svg, --pdf, --gif, --mp4 "
                "or --webm with a FILE");
        return race.run();
    }
    // Reports an unwritable path before the race instead of after it.
    for (const std::string& path : {png, svg, pdf})
        if (!path.empty()) TRY(ReplacingFile::open(path));
    TRY(films.can_be_written());
    with_picture.and_then = [this](const Race& raced) -> Status {
        RacePictureRequest request{.race = raced,
                                   .look = look_of(picture, plot ? kTextOfOneView : kTextOfPage),
                                   .only = plot,
                                   .then = {}};
        if (linear)
            for (const bool of_sizes : {false, true})
                request.then.emplace_back(SetLogarithmic{.of_sizes = of_sizes, .on = false});
        if (!svg.empty()) TRY(export_race_vector(request, VectorKind::kSvg, svg));
        if (!pdf.empty()) TRY(export_race_vector(request, VectorKind::kPdf, pdf));
        if (!png.empty()) TRY(export_race_png(request, png));
        return films.write_all(
            [&request](FilmKind kind, const std::string& path, const FilmOptions& film) {
                return export_race_film(request, kind, path, film);
            });
    };
    return with_picture.run();
}

}  // namespace tilereel
