// A kernel's introduction: its idea, what to watch, the next rung, and the facts that its sources
// state. Each fact is shown beside the value of the current launch.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "app/panels/column.h"
#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/overlay/register_banks.h"
#include "app/panels/paragraph.h"
#include "app/ui/scroll_bar.h"

namespace tilereel {
namespace {

// The facts about the requested kernel. They have values of its launch once it is recorded.
const std::vector<RecordedFact>& facts_of(IntroductionMemory& memory, const Workbench& workbench) {
    const Recording* recording = workbench.recording();
    const RecordRequest& request = workbench.request();
    FactsKey key{.kernel = request.kernel, .tile = request.parameters.tile};
    const bool recorded = recording != nullptr && workbench.replay() != nullptr &&
                          recording->request.kernel == request.kernel;
    if (recorded) {
        key.recording = recording->id;
        key.tile = recording->request.parameters.tile;
    }
    if (key == memory.facts_key) return memory.facts;
    if (key.kernel != memory.facts_key.kernel) memory.scroll = 0;
    memory.facts.clear();
    if (recorded)
        memory.facts = recorded_facts(*recording->trace, recording->sites, *recording->generation);
    else
        for (Fact& fact : facts_about(key.kernel, key.tile))
            memory.facts.push_back({.fact = std::move(fact), .recorded = {}, .figures = {}});
    memory.facts_key = std::move(key);
    return memory.facts;
}

class IntroductionColumn : public Column {
  public:
    using Column::Column;

    void section(const char* title, const std::string& text) {
        heading(title);
        paragraph(text, Face::kRegular, look_.colors().ink);
        space(1.2f * px_);
    }
    void heading(const char* title) {
        caption(title, {Face::kSemiBold, px_, look_.colors().ink3}, px_, 2 * px_);
    }
    void fact(const RecordedFact& of) {
        const Palette& colors = look_.colors();
        const float rule = look_.px(3), indent = look_.px(14);
        const float top = y();
        paragraph(of.fact.text, Face::kRegular, colors.ink, indent);
        if (!of.recorded.empty()) {
            space(0.2f * px_);
            paragraph("This launch: " + of.recorded, Face::kSemiBold, colors.accent, indent);
        }
        space(0.2f * px_);
        std::string source = "\"";
        source.append(of.fact.document).append("\", ").append(of.fact.section);
        paragraph(source, {Face::kRegular, 0.8f * px_, colors.ink3}, indent);
        fill_rect({rect_.x, top + 0.2f * px_, rule, y() - top - 0.3f * px_},
                  of.recorded.empty() ? colors.line : colors.accent, rule / 2);
        space(0.9f * px_);
    }
    void register_banks() { space(draw_register_banks(look_, {rect_.x, y_, rect_.w, 0}, px_)); }
};

// Returns the height in pixels.
float write_introduction(IntroductionColumn column, const KernelInfo& kernel,
                         std::span<const RecordedFact> facts) {
    column.section("Idea", as_sentence(kernel.idea));
    column.section("Watch", as_sentence(kernel.watch));
    column.section("Next", as_sentence(kernel.next));
    column.section("Needs", as_sentence(kernel.needs));
    column.section("Source", as_sentence(kernel.from));
    if (facts.empty()) return column.height();
    const auto of_registers = [](const RecordedFact& fact) { return fact.fact.about_registers; };
    if (std::ranges::any_of(facts, of_registers)) {
        column.heading("Registers: why the order of multiply-adds matters");
        column.register_banks();
        for (const RecordedFact& fact : facts)
            if (of_registers(fact)) column.fact(fact);
    }
    column.heading("Facts");
    for (const RecordedFact& fact : facts)
        if (!of_registers(fact)) column.fact(fact);
    return column.height();
}

}  // namespace

Commands draw_introduction(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory) {
    if (!workbench.view().introduction) return {};
    IntroductionMemory& own = memory.parts().introduction;
    const KernelInfo* kernel = find_kernel(workbench.request().kernel);
    if (kernel == nullptr) return {};
    const std::vector<RecordedFact>& facts = facts_of(own, workbench);
    const float px = type_px(look, 17), margin = look.px(32);
    const float width = std::min(look.px(820) * std::sqrt(look.text), screen.w - look.px(32));
    const float inner = width - 2 * margin, head = std::round(2.2f * px + 0.7f * margin);
    const auto write = [&](ImVec2 at) {
        return write_introduction({look, {at.x, at.y, inner, 0}, px}, *kernel, facts);
    };
    const float length = measured([&] { return write({0, 0}); }) + 0.5f * margin;
    const Rect card =
        centered_card(screen, width, std::min(screen.h - look.margin(), head + length));
    begin_card(look, "introduction", screen, card, true);
    draw_text_fit({card.x + margin, card.y + 0.6f * head}, inner - look.px(40), kernel->title,
                  {Face::kBold, 1.5f * px, look.colors().ink});
    const Rect body{card.x, card.y + head, card.w - look.tight(), card.h - head - look.gap()};
    register_widget("introduction.text", body);
    own.page = body.h;
    {
        const ScrollArea area(look, body, length, own.scroll);
        write({card.x + margin, area.top()});
    }
    if (end_card(look, "introduction.close", card)) return {ToggleIntroduction{}};
    return {};
}

}  // namespace tilereel
