// Estimates beside races: the ladder as small multiples, a hollow diamond and a filled disc for
// each size.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "app/panels/paragraph.h"
#include "app/panels/time/time_views.h"
#include "app/ui/draw/plot.h"
#include "app/workbench/tables/checked_times.h"
#include "app/workbench/time/estimate_figures.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

constexpr std::array kRacedSizes = {512, 1024, 2048, 4096, 8192};
constexpr std::string_view kRace = "h100_ladder";

// A kernel with its TILE and PAD, at each size.
struct Variant {
    const KernelInfo* kernel = nullptr;
    int tile = 0, pad = 0;
    std::array<const CheckedTime*, kRacedSizes.size()> times{};
};

std::vector<Variant> all_variants() {
    std::vector<Variant> variants;
    for (const CheckedTime& row : checked_times()) {
        const KernelParameters& p = row.parameters;
        const auto size = std::ranges::find(kRacedSizes, p.m);
        const KernelInfo* const kernel = find_kernel(row.launch);
        if (row.from != kRace || !row.about || size == kRacedSizes.end() || kernel == nullptr)
            continue;
        auto found = std::ranges::find_if(variants, [&](const Variant& each) {
            return each.kernel == kernel && each.tile == p.tile && each.pad == p.pad;
        });
        if (found == variants.end())
            found = variants.insert(variants.end(), {kernel, p.tile, p.pad, {}});
        found->times[static_cast<std::size_t>(size - kRacedSizes.begin())] = &row;
    }
    std::ranges::sort(variants, {}, [](const Variant& each) {
        return std::tuple(each.kernel->id, each.tile, each.pad);
    });
    return variants;
}

// Of each kernel its largest TILE; of the launch that is shown its own.
std::vector<Variant> variants_shown(const RecordRequest* shown) {
    static const std::vector<Variant> kAll = all_variants();
    std::map<std::string_view, int> tiles;
    for (const Variant& each : kAll) {
        int& tile = tiles[each.kernel->id];
        tile = std::max(tile, each.tile);
    }
    const auto is_of_shown = [&](const Variant& each) {
        return shown != nullptr && each.kernel->id == shown->kernel &&
               each.tile == shown->parameters.tile;
    };
    for (const Variant& each : kAll)
        if (is_of_shown(each)) tiles[each.kernel->id] = each.tile;
    std::vector<Variant> variants;
    for (const Variant& each : kAll)
        if (each.tile == tiles[each.kernel->id]) variants.push_back(each);
    return variants;
}

double tflops(int size, double seconds) {
    const double edge = size;
    return 2e-12 * edge * edge * edge / seconds;
}

class Ladder : public Column {
  public:
    Ladder(const TimeContext& time, const Rect& place) : Column(time.look, place), time_(time) {}

    float draw() {
        const Palette& colors = time_.colors();
        const EstimateErrors& errors = estimate_errors(true);
        paragraph("Estimated against raced", {Face::kSemiBold, time_.type(18), colors.ink});
        space(look_.gap());
        figures(std::array{
            Figure{std::to_string(errors.inside) + " of " + std::to_string(errors.all),
                   "points lie in the range"},
            Figure{std::to_string(std::lround(100 * (errors.typical - 1))) + " %", "typical error"},
            Figure{"\xc3\x97" + two_digits(errors.worst), "worst"},
            Figure{share_text(errors.faster_named), "faster of two named right"}});
        space(look_.gap());
        paragraph(
            "Hollow: estimated, with its range. Filled: raced on an H100. TFLOPS at N = 512 "
            "to 8,192.",
            {Face::kRegular, time_.type(13), colors.ink3});
        space(look_.gap());
        draw_cells();
        return height();
    }

  private:
    void draw_cells() {
        const std::vector<Variant> variants = variants_shown(time_.workbench.timed_request());
        const float px = time_.type(12), gap = look_.gap();
        const auto columns =
            static_cast<std::size_t>(std::max(1.0f, std::floor((rect_.w + gap) / (15 * px + gap))));
        const float width = (rect_.w + gap) / static_cast<float>(columns) - gap;
        span_ = 1;
        for (const Variant& each : variants) span_ = std::max(span_, range_of(each).ratio());
        for (std::size_t i = 0; i < variants.size(); i += columns) {
            row(12 * px, [&](const Rect& at) {
                for (std::size_t c = 0; c < columns && i + c < variants.size(); ++c)
                    draw_cell(variants[i + c],
                              {at.x + static_cast<float>(c) * (width + gap), at.y, width, at.h},
                              px);
            });
            space(gap);
        }
    }

    struct Range {
        double low = 1e300, high = 0;
        void add(double value) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
        [[nodiscard]] double ratio() const { return high / low; }
    };
    [[nodiscard]] static Range range_of(const Variant& variant) {
        Range range;
        for (std::size_t i = 0; i < kRacedSizes.size(); ++i)
            if (const CheckedTime* time = variant.times[i]) {
                range.add(tflops(kRacedSizes[i], time->estimated * kBandOfProducts));
                range.add(tflops(kRacedSizes[i], time->estimated / kBandOfProducts));
                range.add(tflops(kRacedSizes[i], time->measured));
            }
        return range;
    }

    [[nodiscard]] bool is_shown(const Variant& variant) const {
        const RecordRequest* const asked = time_.workbench.timed_request();
        return asked != nullptr && asked->kernel == variant.kernel->id &&
               asked->parameters.tile == variant.tile && asked->parameters.pad == variant.pad;
    }

    void draw_cell(const Variant& variant, const Rect& cell, float px) const {
        const Palette& colors = time_.colors();
        register_widget("time.variant." + std::string(variant.kernel->id) + "." +
                            std::to_string(variant.tile) + "." + std::to_string(variant.pad),
                        cell);
        const bool shown = is_shown(variant);
        fill_rect(cell, colors.raised, look_.corner());
        if (shown) stroke_rect(cell, colors.accent, look_.px(2), look_.corner());
        const Rect inner = cell.inset(look_.gap());
        const std::string tile = std::to_string(variant.tile) +
                                 (variant.pad > 0 ? "+" + std::to_string(variant.pad) : "");
        const float top = inner.y + 0.6f * px, right = text_width(tile, Face::kMono, px);
        draw_text({inner.right(), top}, tile, {Face::kMono, px, colors.ink3, Align::kRight});
        const float room = inner.w - right - look_.gap();
        const std::string_view title = variant.kernel->title;
        const TextStyle style{Face::kSemiBold, px, colors.ink};
        draw_text({inner.x, top},
                  text_width(title, style) <= room ? title : title.substr(0, title.find(' ')),
                  style);
        const float foot = 1.6f * px;
        draw_points(variant, {inner.x, inner.y + 1.7f * px, inner.w, inner.h - 1.7f * px - foot},
                    shown, px);
        draw_figures(variant, {inner.x, inner.bottom() - foot, inner.w, foot}, px);
    }

    // A doubling has the same height in all cells; each has an offset of its own.
    void draw_points(const Variant& variant, const Rect& plot, bool shown, float px) const {
        const Palette& colors = time_.colors();
        const Range range = range_of(variant);
        const double middle = std::log(std::sqrt(range.low * range.high));
        const double half = std::log(span_) / 2;
        const auto at = [&](std::size_t i, double seconds) {
            const double y = (std::log(tflops(kRacedSizes[i], seconds)) - middle) / half;
            const float step = plot.w / static_cast<float>(kRacedSizes.size());
            return ImVec2{plot.x + (static_cast<float>(i) + 0.5f) * step,
                          plot.center().y - static_cast<float>(y) * 0.42f * plot.h};
        };
        const ImU32 ink = shown ? colors.accent : colors.ink2;
        std::vector<ImVec2> slow, fast;
        for (std::size_t i = 0; i < kRacedSizes.size(); ++i) {
            const CheckedTime* const time = variant.times[i];
            if (time == nullptr) continue;
            slow.push_back(at(i, time->estimated * kBandOfProducts));
            fast.push_back(at(i, time->estimated / kBandOfProducts));
        }
        for (std::size_t i = 0; i + 1 < slow.size(); ++i)
            draw_list()->AddQuadFilled(fast[i], fast[i + 1], slow[i + 1], slow[i],
                                       shown ? colors.accent_tint : colors.line);
        draw_dashed(slow, ink, look_.line(), Dash::kDashed);
        draw_dashed(fast, ink, look_.line(), Dash::kDashed);
        const CheckedTime* worst = nullptr;
        ImVec2 worst_at{};
        for (std::size_t i = 0; i < kRacedSizes.size(); ++i) {
            const CheckedTime* const time = variant.times[i];
            if (time == nullptr) continue;
            draw_marker(Marker::kDiamondOpen, at(i, time->estimated), look_.px(10), ink,
                        colors.raised);
            const ImVec2 disc = at(i, time->measured);
            draw_marker(Marker::kCircle, disc, look_.px(6), colors.ink, colors.raised);
            if (time->factor() <= kBandOfProducts) continue;
            draw_list()->AddCircle(disc, look_.px(6), colors.accent, 0, look_.px(1.5f));
            if (worst == nullptr || time->factor() > worst->factor()) {
                worst = time;
                worst_at = disc;
            }
        }
        if (worst != nullptr) draw_factor(worst_at, plot, *worst, px);
    }

    // Only of the worst: others would cover the marks.
    void draw_factor(ImVec2 disc, const Rect& plot, const CheckedTime& worst, float px) const {
        const std::string factor = "\xc3\x97" + two_digits(worst.factor());
        const float width = text_width(factor, Face::kMono, px), gap = look_.px(8);
        const float x = std::min(disc.x + gap, plot.right() - width);
        const bool below = disc.y + 1.9f * px < plot.bottom();
        draw_text({x, disc.y + (below ? 1.3f : -1.3f) * px}, factor,
                  {Face::kMono, px, time_.colors().accent});
    }

    // At the size of the launch that is shown, or at 2,048.
    void draw_figures(const Variant& variant, const Rect& foot, float px) const {
        const RecordRequest* const asked = time_.workbench.timed_request();
        const auto own = asked == nullptr ? kRacedSizes.end()
                                          : std::ranges::find(kRacedSizes, asked->parameters.m);
        const std::size_t i =
            own == kRacedSizes.end() ? 2 : static_cast<std::size_t>(own - kRacedSizes.begin());
        const CheckedTime* const time = variant.times[i];
        if (time == nullptr) return;
        const Palette& colors = time_.colors();
        const float y = foot.center().y + 0.2f * px;
        float x = foot.x + px / 2;
        const auto figure = [&](Marker marker, double seconds) {
            draw_marker(marker, {x, y}, 0.75f * px, colors.ink, colors.raised);
            x += px;
            x += draw_text({x, y}, two_digits(tflops(kRacedSizes[i], seconds)),
                           {Face::kMono, px, colors.ink}) +
                 1.2f * px;
        };
        figure(Marker::kDiamondOpen, time->estimated);
        figure(Marker::kCircle, time->measured);
        const std::string size = std::to_string(kRacedSizes[i]);
        if (x + text_width(size, Face::kMono, px) < foot.right())
            draw_text({foot.right(), y}, size, {Face::kMono, px, colors.ink3, Align::kRight});
    }

    const TimeContext& time_;
    double span_ = 1;  // of the speeds in a cell: highest over lowest
};

}  // namespace

float draw_time_ladder(const TimeContext& time, const Rect& place) {
    return Ladder(time, place).draw();
}

}  // namespace tilereel
