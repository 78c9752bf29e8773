// The estimate of the launch with its range, on the axis of speeds.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/time/time_views.h"
#include "app/panels/wrap_row.h"
#include "app/ui/draw/glide.h"
#include "app/ui/draw/plot.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/menu.h"
#include "app/workbench/tables/checked_times.h"
#include "app/workbench/time/estimate_figures.h"
#include "app/workbench/time/time_shown.h"

namespace tilereel {
namespace {

constexpr const char* kEstimated = "estimated, not measured";

std::string an(std::string_view name) {
    return (name.front() == 'T' ? "a " : "an ") + std::string(name);
}

std::string size_words(int size, const KernelParameters& shown) {
    if (size != 0) return with_commas(static_cast<std::uint64_t>(size));
    if (shown.m == shown.n && shown.n == shown.k) return std::to_string(shown.m);
    return std::to_string(shown.m) + " " + std::to_string(shown.n) + " " + std::to_string(shown.k);
}

class Headline : public Column {
  public:
    Headline(const TimeContext& time, const Rect& place) : Column(time.look, place), time_(time) {}

    float draw() {
        draw_head();
        if (time_.launch == nullptr)
            draw_problem();
        else if (time_.is_about())
            draw_about();
        else
            draw_bound();
        return height();
    }

  private:
    // The title, the words that this is an estimate, and M = N = K.
    void draw_head() {
        const float px = time_.type(14), line = std::round(2 * px), title = time_.type(20);
        WrapRow row(rect_, line, look_.gap(), look_.pad());
        const Rect words =
            row.next(text_width("Where the time goes", Face::kSemiBold, title) + look_.gap());
        draw_text({words.x, words.center().y}, "Where the time goes",
                  {Face::kSemiBold, title, time_.colors().ink});
        const Rect tag = row.next(estimated_tag_width(px));
        draw_estimated_tag(time_, {tag.x, tag.center().y}, px);
        if (const RecordRequest* asked = time_.workbench.timed_request()) {
            const KernelInfo* const kernel = find_kernel(asked->kernel);
            const KernelParameters& shown = time_.workbench.recording()->request.parameters;
            if (kernel != nullptr) draw_sizes(row, timed_sizes(*kernel, shown), shown);
        }
        y_ = row.bottom() + look_.wide();
    }

    void draw_sizes(WrapRow& row, const std::vector<int>& sizes, const KernelParameters& shown) {
        const KernelParameters& now = time_.workbench.timed_request()->parameters;
        std::vector<std::string> choices;
        int current = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            choices.push_back(size_words(sizes[i], shown));
            const bool is_now = now.m == sizes[i] && now.n == sizes[i] && now.k == sizes[i];
            if (is_now) current = static_cast<int>(i);
        }
        const float width =
            value_chip_width(look_, "N", choices[static_cast<std::size_t>(current)]);
        const Rect chip = row.next(width);
        const int chosen = choice_chip(look_, "time.size", chip, "N", choices, current,
                                       "M, N and K of the launch that is estimated (Left, Right)");
        if (chosen >= 0)
            time_.commands.push_back(SetTimeSize{sizes[static_cast<std::size_t>(chosen)]});
    }

    void draw_problem() {
        const bool waits = time_.answer == nullptr || time_.answer->problem.empty();
        paragraph(waits ? std::string("The launch is being estimated.")
                        : as_sentence(time_.answer->problem),
                  {Face::kRegular, time_.type(16), time_.colors().ink2});
    }

    // "about 9.2 TFLOPS on an H100" in large type, and its range beside or below it.
    void draw_figure(const char* before, const std::string& figure, const std::string& unit,
                     const std::vector<std::string>& range) {
        const Palette& colors = time_.colors();
        const float big = time_.type(44), side = time_.type(16), small = time_.type(14);
        const std::string where = "on " + an(time_.gpu.name);
        const float units = std::max(text_width(unit, Face::kSemiBold, side),
                                     text_width(where, Face::kRegular, small));
        const float left = text_width(before, Face::kRegular, side) + look_.gap() +
                           text_width(figure, Face::kBold, big) + look_.wide() + units;
        float ranges = 0;
        for (const std::string& line : range)
            ranges = std::max(ranges, text_width(line, Face::kSemiBold, side));
        const bool beside = left + look_.margin() + ranges <= rect_.w;
        row(1.3f * big, [&](const Rect& at) {
            register_widget("time.figure", at);
            const float base = at.y + 0.6f * at.h, lower = base + 0.36f * big - 0.36f * side;
            float x = at.x;
            x += draw_text({x, lower}, before, {Face::kRegular, side, colors.ink2}) + look_.gap();
            x += draw_text({x, base}, figure, {Face::kBold, big, colors.ink}) + look_.wide();
            draw_text({x, lower - 1.35f * side}, unit, {Face::kSemiBold, side, colors.ink});
            draw_text({x, lower}, where, {Face::kRegular, small, colors.ink2});
            if (!beside) return;
            for (std::size_t i = 0; i < range.size(); ++i)
                draw_text(
                    {at.right(), lower - 1.35f * side * static_cast<float>(range.size() - 1 - i)},
                    range[i],
                    {i == 0 ? Face::kSemiBold : Face::kRegular, side,
                     i == 0 ? colors.ink : colors.ink2, Align::kRight});
        });
        if (!beside)
            for (std::size_t i = 0; i < range.size(); ++i)
                paragraph(range[i], {i == 0 ? Face::kSemiBold : Face::kRegular, side,
                                     i == 0 ? colors.ink : colors.ink2});
    }

    void draw_about() {
        const TimeEstimate& found = time_.estimate();
        const ReadableUnit unit = time_unit(found.seconds);
        const std::string times = duration_text(found.seconds) + ", between " +
                                  two_digits(found.low / unit.size) + " and " +
                                  two_digits(found.high / unit.size);
        draw_figure("about", two_digits(time_.speed.of(found.seconds)), time_.speed.unit_name,
                    {"between " + two_digits(time_.speed.of(found.high)) + " and " +
                         two_digits(time_.speed.of(found.low)),
                     times});
        space(look_.gap());
        paragraph(error_words(), {Face::kRegular, time_.type(14), time_.colors().ink3});
        space(look_.gap());
        draw_axis();
        space(look_.wide());
    }

    // From the table that a test keeps true.
    [[nodiscard]] std::string error_words() const {
        const bool of_ladder = time_.launch->is_product;
        const EstimateErrors& errors = estimate_errors(of_ladder);
        return "Typical error " + std::to_string(std::lround(100 * (errors.typical - 1))) + " %; " +
               std::to_string(errors.inside) + " of " + std::to_string(errors.all) +
               (of_ladder ? " raced products" : " measured launches") +
               " took a time in such a range.";
    }

    void draw_bound() {
        const TimeEstimate& found = time_.estimate();
        const ReadableUnit unit = time_unit(found.seconds);
        std::vector<std::string> range;
        if (time_.launch->is_product)
            range.push_back("at most " + two_digits(time_.speed.of(found.seconds)) + " " +
                            time_.speed.unit_name);
        draw_figure("at least", two_digits(found.seconds / unit.size), unit.name, range);
        space(look_.gap());
        paragraph("A bound, because " + found.why_bound + ".",
                  {Face::kRegular, time_.type(14), time_.colors().ink2});
        space(look_.wide());
    }

    [[nodiscard]] const CheckedTime* raced() const {
        const RecordRequest* const asked = time_.workbench.timed_request();
        const bool on_it =
            asked != nullptr && asked->removed_barrier == 0 && time_.gpu.name == "H100";
        return on_it ? find_checked(asked->kernel, asked->parameters) : nullptr;
    }

    // The launch before its file was saved; nullopt: there is none, or it was no estimate.
    [[nodiscard]] std::optional<double> former_seconds() const {
        const TimeAnswer* const former = time_.workbench.former_time_answer();
        if (former == nullptr || !former->launch ||
            former->launch->estimate.kind != EstimateKind::kAbout)
            return std::nullopt;
        return former->launch->estimate.seconds;
    }

    void draw_axis() {
        const CheckedTime* const race = raced();
        const std::optional<double> former = former_seconds();
        const double slowest = std::max(race == nullptr ? 0 : race->measured, former.value_or(0));
        const Axis axis = speed_axis(*time_.launch, time_.speed, slowest);
        const float px = time_.type(13), mark = 1.9f * px;
        const float top = 1.5f * px, below = race == nullptr && !former ? 0 : 1.6f * px;
        row(top + mark + below + 1.8f * px, [&](const Rect& at) {
            register_widget("time.axis", at);
            const PlotArea area{{at.x, at.y + top, at.w, mark + below}, axis, {}};
            const auto x_of = [&](double seconds) {
                return at.x + at.w * static_cast<float>(axis.share(time_.speed.of(seconds)));
            };
            draw_scale(area, px);
            const Palette& colors = time_.colors();
            const TimeEstimate& found = time_.estimate();
            if (former)
                draw_marker(Marker::kDiamondOpen, {x_of(*former), at.y + top + mark / 2},
                            0.65f * mark, mix(colors.panel, colors.ink3, 0.7f), colors.panel);
            const bool fresh = glide_share(look_, time_.memory.edited_at) < 1;
            draw_estimate_mark(look_,
                               {x_of(found.high), at.y + top + look_.hair(),
                                x_of(found.low) - x_of(found.high), mark - look_.tight()},
                               x_of(found.seconds), former && !fresh ? colors.ink : colors.accent,
                               colors.accent_tint);
            const float y = at.y + top + mark + below / 2;
            if (race != nullptr)
                draw_disc({x_of(race->measured), y}, at,
                          "raced on an H100: " + two_digits(time_.speed.of(race->measured)), px);
            else if (former)
                draw_note({x_of(*former), y}, at,
                          "before it was saved: " + two_digits(time_.speed.of(*former)), px);
        });
    }

    // Ticks with their values, and the peak.
    void draw_scale(const PlotArea& area, float px) const {
        const Palette& colors = time_.colors();
        const Rect& at = area.rect;
        const float y = at.bottom();
        draw_list()->AddLine({at.x, y}, {at.right(), y}, colors.line, look_.line());
        const float peak = at.x + at.w * static_cast<float>(area.x.share(time_.speed.peak));
        float free_from = at.x;
        const int most = std::max(2, static_cast<int>(at.w / (5 * px)));
        for (const double tick : ticks_of(area.x, most)) {
            const float x = at.x + at.w * static_cast<float>(area.x.share(tick));
            const std::string label = axis_label(tick);
            const float half = text_width(label, Face::kMono, px) / 2;
            draw_list()->AddLine({x, y - look_.px(3)}, {x, y + look_.px(3)}, colors.line,
                                 look_.line());
            const float middle = std::clamp(x, at.x + half, at.right() - half);
            if (middle - half < free_from) continue;
            draw_text({middle, y + 1.0f * px}, label,
                      {Face::kMono, px, colors.ink3, Align::kCenter});
            free_from = middle + half + look_.gap();
        }
        if (time_.speed.peak <= 0) return;
        draw_dashed(std::array{ImVec2{peak, at.y - 0.2f * px}, ImVec2{peak, y}}, colors.ink3,
                    look_.line(), Dash::kDashed);
        const std::string words = time_.speed.peak_name + " " + two_digits(time_.speed.peak);
        draw_text({std::min(peak, at.right()), at.y - 0.8f * px}, words,
                  {Face::kRegular, px, colors.ink3, Align::kRight});
    }

    void draw_disc(ImVec2 at, const Rect& room, const std::string& words, float px) const {
        draw_marker(Marker::kCircle, at, 0.7f * px, time_.colors().ink, time_.colors().panel);
        draw_note(at, room, words, px);
    }
    // Words beside a mark, on the side that has room.
    void draw_note(ImVec2 at, const Rect& room, const std::string& words, float px) const {
        const float width = text_width(words, Face::kSemiBold, px), gap = look_.gap();
        const bool right = at.x + gap + width <= room.right();
        const float x = right ? at.x + gap : std::max(room.x, at.x - gap - width);
        draw_text({x, at.y}, words, {Face::kSemiBold, px, time_.colors().ink});
    }

    const TimeContext& time_;
};

}  // namespace

void draw_estimate_mark(const Look& look, const Rect& band, float diamond_x, ImU32 color,
                        ImU32 tint) {
    fill_rect(band, tint, look.px(3));
    dashed_rect(band, color, look.line(), look.px(4));
    draw_marker(Marker::kDiamondOpen, {diamond_x, band.center().y}, 0.65f * band.h, color,
                look.colors().panel);
}

float estimated_tag_width(float px) {
    return text_width(kEstimated, Face::kSemiBold, px) + 2.6f * px;
}

void draw_estimated_tag(const TimeContext& time, ImVec2 at, float px) {
    const Rect tag{at.x, at.y - 0.95f * px, estimated_tag_width(px), 1.9f * px};
    register_widget("time.estimated", tag);
    dashed_rect(tag, time.colors().ink2, time.look.line(), time.look.px(4));
    draw_marker(Marker::kDiamondOpen, {tag.x + px, at.y}, 0.8f * px, time.colors().ink2,
                time.colors().panel);
    draw_text({tag.x + 1.9f * px, at.y}, kEstimated, {Face::kSemiBold, px, time.colors().ink});
}

float draw_time_headline(const TimeContext& time, const Rect& place) {
    return Headline(time, place).draw();
}

}  // namespace tilereel
