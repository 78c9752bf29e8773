// What limits the launch, and how busy each pipe is.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/array_role.h"
#include "app/panels/paragraph.h"
#include "app/panels/time/time_views.h"
#include "app/workbench/time/estimate_figures.h"

namespace tilereel {
namespace {

constexpr std::array kPipesShown = {Pipe::kMemory,      Pipe::kIssue,  Pipe::kL2,
                                    Pipe::kMultiplyAdd, Pipe::kTensor, Pipe::kAlu,
                                    Pipe::kXu,          Pipe::kFp64,   Pipe::kDram};

class Pipes : public Column {
  public:
    Pipes(const TimeContext& time, const Rect& place)
        : Column(time.look, place), time_(time), found_(time.estimate()) {
        const EstimatedLaunch* const l2 = time.workbench.l2_answer();
        if (l2 == nullptr || !l2->l2 || l2->l2->orders.empty() || found_.seconds <= 0) return;
        const OrderedL2& order = l2->l2->orders.front();
        const double room = found_.seconds * time.gpu.dram_gbs * 1e9;
        dram_ = DramShare{(order.least_fetched() + order.run.all.written) / room,
                          (order.most_fetched() + order.run.all.written) / room};
    }

    float draw() {
        rule();
        space(look_.wide());
        draw_limit();
        for (const Pipe pipe : kPipesShown)
            if (busy(pipe) > 0 || pipe == found_.limiter) draw_pipe(pipe);
        space(look_.gap());
        paragraph(occupancy_words(), {Face::kRegular, time_.type(14), time_.colors().ink3});
        return height();
    }

  private:
    [[nodiscard]] double busy(Pipe pipe) const {
        if (pipe == Pipe::kDram && dram_) return dram_->low;
        return found_.busy[static_cast<std::size_t>(pipe)];
    }
    [[nodiscard]] std::string share_of(Pipe pipe) const {
        if (pipe != Pipe::kDram || !dram_ || share_text(dram_->low) == share_text(dram_->high))
            return share_text(busy(pipe));
        const std::string low = share_text(dram_->low);
        return low.substr(0, low.find(' ')) + "\xe2\x80\x93" + share_text(dram_->high);
    }
    [[nodiscard]] bool is_small() const {
        return time_.is_about() && found_.latency &&
               found_.blocks < static_cast<std::uint64_t>(time_.gpu.multiprocessors);
    }

    // "Limit: memory pipe" and how busy it is.
    void draw_limit() {
        const Palette& colors = time_.colors();
        const float px = time_.type(22), small = time_.type(14);
        const std::string name = is_small()            ? "the launch is small"
                                 : found_.block_starts ? "starting blocks"
                                 : found_.latency      ? "latency: warps wait"
                                                       : std::string(name_of(found_.limiter));
        const std::string share = share_text(busy(found_.limiter));
        row(1.9f * px, [&](const Rect& at) {
            const float y = at.y + 0.6f * at.h;
            float x = at.x;
            x += draw_text({x, y + 0.36f * (px - small)}, "Limit",
                           {Face::kRegular, small, colors.ink2}) +
                 look_.wide();
            const float right = found_.latency ? 0 : text_width(share + " busy", Face::kBold, px);
            const TextStyle style{Face::kBold, px, colors.ink};
            draw_text({x, y}, name, shrunk(style, name, at.right() - right - look_.gap() - x));
            if (!found_.latency)
                draw_text({at.right(), y}, share + " busy",
                          {Face::kBold, px, colors.ink, Align::kRight});
        });
        paragraph(rule_words(), {Face::kRegular, small, colors.ink2});
        space(look_.gap());
    }

    // What the limiting pipe serves.
    [[nodiscard]] std::string rule_words() const {
        const std::string sms =
            ", on each of " + std::to_string(time_.gpu.multiprocessors) + " SMs.";
        if (is_small())
            return std::to_string(found_.blocks) + " of " +
                   std::to_string(time_.gpu.multiprocessors) +
                   " SMs have a block; starting the launch takes about " +
                   duration_text(found_.launch_seconds) + ".";
        if (found_.block_starts)
            return "Blocks end as fast as the GPU can start others: about " +
                   with_commas(static_cast<std::uint64_t>(time_.gpu.blocks_a_us)) +
                   " a microsecond. Larger blocks, or several elements for each thread, need "
                   "fewer.";
        if (found_.latency)
            return "No pipe is busy: there are too few warps to fill the time in which others "
                   "wait.";
        switch (found_.limiter) {
            case Pipe::kMemory:
                return "One shared wavefront or one line of a global request a clock" + sms;
            case Pipe::kMultiplyAdd:
                return two_digits(time_.gpu.sm.fma_a_clock) + " multiply-adds of a warp a clock" +
                       sms;
            case Pipe::kAlu:
            case Pipe::kXu:
            case Pipe::kFp64:
                return rate_of(found_.limiter) + sms;
            case Pipe::kIssue:
                return std::to_string(time_.gpu.sm.schedulers) + " instructions a clock" + sms;
            case Pipe::kTensor:
                return "Products of the tensor cores" + sms;
            case Pipe::kL2:
                return "Sectors between L1 and L2, of all SMs together.";
            case Pipe::kDram:
                return "Bytes between L2 and DRAM, of all SMs together.";
        }
        return {};
    }

    // "16 exponentials, roots or conversions a clock": of single threads, as NVIDIA's guide counts.
    [[nodiscard]] std::string rate_of(Pipe pipe) const {
        const SmTimes& sm = time_.gpu.sm;
        const auto rate = [](double warps) { return two_digits(32 * warps) + " "; };
        if (pipe == Pipe::kXu)
            return rate(sm.xu_a_clock) + "exponentials, roots or conversions a clock";
        if (pipe == Pipe::kFp64) return rate(sm.fp64_a_clock) + "FP64 multiply-adds a clock";
        return rate(sm.alu_a_clock) + "integer sums, logic operations or comparisons a clock";
    }

    [[nodiscard]] std::string caption_of(Pipe pipe) const {
        const auto part = [&](double peak, const char* unit) {
            return "of " + two_digits(peak) + " " + unit;
        };
        const double flops = 2e-12 * 32 * time_.gpu.sm.fma_a_clock * time_.gpu.multiprocessors *
                             time_.gpu.clock_ghz * 1e9;
        switch (pipe) {
            case Pipe::kMemory:
                return "of each SM";
            case Pipe::kMultiplyAdd:
                return part(flops, "TFLOPS");
            case Pipe::kIssue:
                return std::to_string(time_.gpu.sm.schedulers) + " a clock";
            case Pipe::kTensor:
                return "of each SM";
            case Pipe::kAlu:
                return two_digits(32 * time_.gpu.sm.alu_a_clock) + " lanes a clock";
            case Pipe::kXu:
                return two_digits(32 * time_.gpu.sm.xu_a_clock) + " lanes a clock";
            case Pipe::kFp64:
                return two_digits(32 * time_.gpu.sm.fp64_a_clock) + " lanes a clock";
            case Pipe::kL2:
                return part(time_.gpu.l2_gbs * 1e-3, "TB/s");
            case Pipe::kDram:
                return part(time_.gpu.dram_gbs * 1e-3, "TB/s");
        }
        return {};
    }

    void draw_pipe(Pipe pipe) {
        const Palette& colors = time_.colors();
        const float px = time_.type(14), small = time_.type(12);
        const bool limits = pipe == found_.limiter && !found_.latency;
        const std::string name(name_of(pipe)), caption = caption_of(pipe);
        float names = 0;
        for (const Pipe each : kPipesShown)
            names = std::max({names, text_width(name_of(each), Face::kSemiBold, px),
                              text_width(caption_of(each), Face::kRegular, small)});
        const float figures = text_width("10-20 %", Face::kMono, px) + look_.wide();
        row(1.4f * (px + small), [&](const Rect& at) {
            register_widget("time.pipe." + name, at);
            draw_text({at.x, at.center().y - 0.62f * small}, name,
                      {limits ? Face::kSemiBold : Face::kRegular, px, colors.ink});
            draw_text({at.x, at.center().y + 0.66f * px}, caption,
                      {Face::kRegular, small, colors.ink2});
            const float left = at.x + names + look_.wide();
            const Rect bar{left, at.center().y - 0.55f * px,
                           std::max(1.0f, at.right() - figures - left), 1.1f * px};
            fill_rect(bar, colors.raised, look_.px(3));
            const auto length = static_cast<float>(std::min(busy(pipe), 1.0)) * bar.w;
            if (pipe == Pipe::kDram && dram_) {
                const float most = static_cast<float>(std::min(dram_->high, 1.0)) * bar.w;
                dashed_rect({bar.x, bar.y, std::max(most, look_.hair()), bar.h}, colors.ink3,
                            look_.line(), look_.px(4));
            }
            if (limits && !found_.lines.empty())
                draw_split({bar.x, bar.y, length, bar.h});
            else
                fill_rect({bar.x, bar.y, std::max(length, look_.hair()), bar.h}, colors.ink3,
                          look_.px(3));
            if (limits)
                stroke_rect(Rect{bar.x, bar.y, length, bar.h}.inset(-look_.px(3)), colors.accent,
                            look_.px(2), look_.px(4));
            draw_text({at.right(), at.center().y}, share_of(pipe),
                      {limits ? Face::kMonoBold : Face::kMono, px, colors.ink, Align::kRight});
        });
    }

    [[nodiscard]] ImU32 color_of(ArrayId array) const {
        return array < time_.launch->arrays.size()
                   ? time_.color_of(time_.launch->arrays[array].name)
                   : time_.colors().ink3;
    }

    // The bar of the limiter, by the arrays that fill it, each with its name where there is room.
    void draw_split(const Rect& bar) const {
        const float px = time_.type(12), gap = look_.px(1);
        float left = bar.x;
        for (const ArrayShare& part : shares_of_arrays(found_)) {
            const float width = bar.w * static_cast<float>(part.share);
            const Rect piece{left, bar.y, std::max(width - gap, 1.0f), bar.h};
            const ImU32 fill = color_of(part.array);
            fill_rect(piece, fill, look_.hair());
            left += width;
            if (part.array >= time_.launch->arrays.size()) continue;
            const std::string& name = time_.launch->arrays[part.array].name;
            if (text_width(name, Face::kMono, px) + look_.gap() > piece.w) continue;
            draw_text(piece.center(), name,
                      {Face::kMono, px, text_on(time_.colors(), fill), Align::kCenter});
        }
    }

    [[nodiscard]] std::string occupancy_words() const {
        std::string words = "Occupancy " + share_text(found_.occupancy.share()) + ", " +
                            std::to_string(found_.occupancy.blocks) +
                            (found_.occupancy.blocks == 1 ? " block" : " blocks") + " on an SM, " +
                            two_digits(found_.waves) + (found_.waves == 1 ? " wave" : " waves");
        if (found_.l1_hits > 0)
            words += "; " + share_text(found_.l1_hits) + " of the sectors hit L1";
        if (found_.l2_hits)
            words += (found_.l1_hits > 0 ? ", " : "; ") + share_text(*found_.l2_hits) +
                     (found_.l1_hits > 0 ? " of the others L2" : " of the sectors hit L2");
        return words + ".";
    }

    // By the model of L2, once it is known: what blocks read again is in it.
    struct DramShare {
        double low = 0, high = 0;
    };
    const TimeContext& time_;
    const TimeEstimate& found_;
    std::optional<DramShare> dram_;
};

}  // namespace

float draw_time_pipes(const TimeContext& time, const Rect& place) {
    return time.launch == nullptr ? 0 : Pipes(time, place).draw();
}

}  // namespace tilereel
