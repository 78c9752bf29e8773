#include "app/export/html/lesson_scene_html.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "app/export/html/html_text.h"
#include "app/lesson/figures.h"
#include "app/lesson/prediction.h"
#include "app/lesson/scene_words.h"
#include "app/replay/sentence/sentence.h"
#include "app/workbench/lesson/lesson_bench.h"
#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/launch_names.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

using Kind = LessonBeat::Kind;

class SceneText {
  public:
    SceneText(const LessonScene& scene, const PreparedScene& prepared, Replay* replay,
              Replay* other)
        : scene_(scene),
          prepared_(prepared),
          replay_(replay),
          other_(other),
          beats_(beats_of(scene)) {}

    std::string text(std::size_t number, const Race* race) {
        const std::string n = std::to_string(number);
        out_ << "<section class=\"scene\" id=\"scene-" << n << "\" aria-labelledby=\"title-" << n
             << "\">\n<h2 id=\"title-" << n << "\"><span class=\"number\">" << n << "</span> "
             << escaped(prepared_.title) << "</h2>\n";
        launches();
        prediction();
        block("text", [](const LessonBeat& beat) { return beat.kind != Kind::kPrediction; });
        paragraphs(prepared_.text);
        out_ << "</div>\n";
        for (std::size_t stop = 0; stop < prepared_.stops.size(); ++stop) stop_text(stop);
        if (scene_.race && race != nullptr) bars(*race);
        question();
        out_ << "</section>\n";
        return out_.str();
    }

  private:
    // Opens a block, with the beats at which the script shows it.
    void block(const char* name, const std::function<bool(const LessonBeat&)>& shown) {
        out_ << "<div class=\"" << name << "\" data-beats=\"";
        const char* between = "";
        for (std::size_t i = 0; i < beats_.size(); ++i)
            if (shown(beats_[i])) {
                out_ << between << i;
                between = " ";
            }
        out_ << "\">\n";
    }

    void paragraph(const char* name, const std::string& words) {
        out_ << "<p class=\"" << name << "\">" << escaped(words) << "</p>\n";
    }

    // An empty line begins a paragraph.
    void paragraphs(const std::string& text) {
        std::string part;
        const auto end = [&] {
            if (!part.empty()) out_ << "<p>" << escaped(part) << "</p>\n";
            part.clear();
        };
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.find_first_not_of(" \t\r") == std::string::npos)
                end();
            else
                part += (part.empty() ? "" : " ") + line;
        }
        end();
    }

    void launches() {
        if (replay_ == nullptr) return;
        const std::string both = other_ == nullptr ? "" : " beside " + words_of_launch(*other_);
        paragraph("launch", words_of_launch(*replay_) + both);
    }

    [[nodiscard]] static Tick tick_of(double position) { return static_cast<Tick>(position); }

    void prediction() {
        if (!scene_.predict || replay_ == nullptr || prepared_.stops.empty()) return;
        const std::uint32_t step =
            replay_->schedule().step_at(tick_of(prepared_.stops.front().position));
        const auto asked = prediction_of(*replay_, step);
        if (!asked) return;
        block("card prediction", [](const LessonBeat& beat) {
            return beat.kind == Kind::kPrediction || (beat.kind == Kind::kStop && beat.stop == 0);
        });
        paragraph("asked", asked->question);
        out_ << "<ol class=\"choices\">\n";
        for (std::size_t i = 0; i < asked->choices.size(); ++i)
            out_ << "<li><button type=\"button\" data-right=\"" << (i == asked->right ? 1 : 0)
                 << "\">" << with_commas(asked->choices[i]) << "</button></li>\n";
        out_ << "</ol>\n";
        answer(with_commas(asked->choices[asked->right]) + " " +
               (asked->choices[asked->right] == 1 ? unit_of_one(asked->unit) : asked->unit));
        out_ << "</div>\n";
    }
    [[nodiscard]] static std::string unit_of_one(const std::string& units) {
        return units.ends_with('s') ? units.substr(0, units.size() - 1) : units;
    }

    void answer(const std::string& words) {
        out_ << "<details class=\"answer\"><summary>Answer</summary><p>" << escaped(words)
             << "</p></details>\n";
    }

    void stop_text(std::size_t stop) {
        const bool last = stop + 1 == prepared_.stops.size();
        const auto is_here = [stop, last](const LessonBeat& beat) {
            return beat.kind != Kind::kPrediction &&
                   (beat.kind == Kind::kStop ? beat.stop == stop : last);
        };
        block("stop", is_here);
        const PreparedStop& at = prepared_.stops[stop];
        if (!at.say.empty()) paragraph("say", at.say);
        if (replay_ != nullptr) {
            replay_->seek(tick_of(at.position));
            if (other_ != nullptr) {
                other_->seek(tick_of(at.other_position));
            } else {
                request(is_here);
            }
            moment(*replay_);
            if (other_ != nullptr) moment(*other_);
        }
        out_ << "</div>\n";
    }

    // What the replay itself says there: for a reader without the picture.
    void moment(const Replay& replay) {
        out_ << "<p class=\"moment\"><b>Tick "
             << with_commas(std::min(replay.state().tick + 1, replay.schedule().ticks)) << " of "
             << with_commas(replay.schedule().ticks) << ".</b> "
             << escaped(plain_text(replay.sentence())) << "</p>\n";
    }

    void request(const std::function<bool(const LessonBeat&)>& is_here) {
        const std::uint32_t step = replay_->state().request.step;
        if (step == kNoStep) return;
        const Trace& trace = replay_->trace();
        const Site& site = trace.sites[replay_->schedule().steps[step].site];
        if (site.array >= trace.arrays.size()) return;
        if (scene_.code && replay_->state().step != kNoStep)
            out_ << "<p class=\"code\"><i>" << site.line << "</i> <code>"
                 << escaped(statement_at(trace, site)) << "</code></p>\n";
        if (scene_.lanes) lanes(trace.arrays[site.array]);
        const auto figure = figure_of_request(*replay_, scene_.figure);
        if (!figure) return;
        // The answer to a question often is this figure.
        block("figure", [&](const LessonBeat& beat) {
            return is_here(beat) && beat.kind != Kind::kQuestion;
        });
        out_ << "<p class=\"" << (figure->bad ? "large bad" : "large") << "\"><b>"
             << with_commas(figure->value) << "</b> " << escaped(figure->unit) << "</p>\n";
        paragraph("detail", figure->detail);
        out_ << "</div>\n";
    }

    // The first three active lanes and the last one.
    void lanes(const Array& array) {
        std::vector<std::uint32_t> active;
        const RequestState& request = replay_->state().request;
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if (request.lanes[lane].active) active.push_back(lane);
        const bool shared = array.space == Space::kShared;
        out_ << "<table class=\"lanes\">\n";
        for (std::size_t i = 0; i < active.size(); ++i) {
            if (i == 3 && active.size() > 4) out_ << "<tr><td>\xe2\x80\xa6</td></tr>\n";
            if (i >= 3 && i + 1 < active.size()) continue;
            const LaneState& lane = request.lanes[active[i]];
            out_ << "<tr><td>lane " << active[i] << "</td><td>"
                 << escaped(element_name(array, lane.row, lane.column)) << "</td><td>"
                 << (shared ? "bank " : "sector ") << with_commas(shared ? lane.bank : lane.sector)
                 << "</td></tr>\n";
        }
        out_ << "</table>\n";
    }

    void bars(const Race& race) {
        const LessonRace& wanted = *scene_.race;
        double most = 1;
        for (const Contender& contender : wanted.contenders)
            most = std::max(most, gflops_in(race, contender, wanted.size).value_or(0));
        block("bars", [](const LessonBeat&) { return true; });
        paragraph("axis", "GFLOPS on " + race.machine.device + ", N = " +
                              with_commas(static_cast<std::uint64_t>(wanted.size)) + ", recorded");
        for (const Contender& contender : wanted.contenders) {
            const double gflops = gflops_in(race, contender, wanted.size).value_or(0);
            const double share = 100 * gflops / most;
            out_ << "<div class=\"bar" << (is_reference(contender) ? " reference" : "")
                 << (gflops >= most ? " fastest" : "") << "\"><span>"
                 << escaped(name_in_bars(contender))
                 << "</span><i style=\"width:" << static_cast<int>(share * 10) / 10.0
                 << "%\"></i><b>" << with_commas(static_cast<std::uint64_t>(gflops + 0.5))
                 << "</b></div>\n";
        }
        out_ << "</div>\n";
    }

    void question() {
        if (prepared_.question.empty()) return;
        block("card question", [](const LessonBeat& beat) {
            return beat.kind == Kind::kQuestion || beat.kind == Kind::kAnswer;
        });
        paragraph("asked", prepared_.question);
        answer(prepared_.answer);
        out_ << "</div>\n";
    }

    const LessonScene& scene_;
    const PreparedScene& prepared_;
    Replay *replay_, *other_;
    const std::vector<LessonBeat> beats_;
    std::ostringstream out_;
};

}  // namespace

std::string words_of_launch(const Replay& replay) {
    const Trace& trace = replay.trace();
    const Launch& launch = trace.launch;
    const KernelInfo* const kernel = find_kernel(launch.kernel);
    std::string words = kernel != nullptr ? std::string(kernel->title) : launch.kernel;
    if (trace.product)
        words += ", " + std::to_string(launch.m) + " \xc3\x97 " + std::to_string(launch.n) +
                 " \xc3\x97 " + std::to_string(launch.k);
    if (launch.tile != 0)
        words += ", TILE " + std::to_string(launch.tile) + ", PAD " + std::to_string(launch.pad);
    words += ", block " + block_name(launch.grid, replay.block());
    if (&replay.generation() != &default_generation())
        words += ", " + std::string(replay.generation().title);
    return words;
}

std::string scene_html(std::size_t number, const LessonScene& scene, const PreparedScene& prepared,
                       const Race* race, Replay* replay, Replay* other) {
    return SceneText(scene, prepared, replay, other).text(number, race);
}

}  // namespace tilereel
