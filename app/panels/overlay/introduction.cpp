// A kernel's introduction: its idea, what to watch, the next rung, and the facts that its sources
// state. Each fact is shown beside the value of the current launch.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/panels/panel_table.h"
#include "app/ui/widgets/scroll_bar.h"

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

constexpr int kShownRows = 4, kShownColumns = 8;  // the shown part of a thread's tile

// The operands of a multiply-add, and where each is read from.
WrapTable sources_of(const Look& look, float px) {
    const Palette& colors = look.colors();
    WrapTable table(look, px, {Align::kLeft, Align::kLeft}, 1);
    table.add({{"sum", Face::kMonoBold, colors.c},
               {"from an even register", Face::kRegular, colors.ink2}});
    table.add(
        {{"b", Face::kMonoBold, colors.b}, {"from an odd register", Face::kRegular, colors.ink2}});
    table.add({{"a", Face::kMonoBold, colors.a},
               {"again, from the reuse cache", Face::kRegular, colors.ink2}});
    return table;
}

// The numbers of a thread's multiply-adds in their order. In a row of the tile `a` stays in the
// reuse cache; at the end of a row `b` does.
WrapTable order_of(const Look& look, float px) {
    const Palette& colors = look.colors();
    WrapTable table(look, px, std::vector<Align>(1 + kShownColumns, Align::kRight), 1);
    std::vector<TableCell> head(1);
    for (int column = 0; column < kShownColumns; ++column)
        head.push_back({"b" + std::to_string(column), Face::kMonoBold, colors.b});
    table.add(head);
    for (int row = 0; row < kShownRows; ++row) {
        std::vector<TableCell> cells = {{"a" + std::to_string(row), Face::kMonoBold, colors.a}};
        for (int column = 0; column < kShownColumns; ++column) {
            const int step = row % 2 == 0 ? column : kShownColumns - 1 - column;
            const bool row_changes = row > 0 && step == 0;
            cells.push_back({std::to_string(row * kShownColumns + step + 1),
                             row_changes ? Face::kMonoBold : Face::kMono,
                             row_changes ? colors.b : colors.a});
        }
        table.add(std::move(cells));
    }
    return table;
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
    // Where the operands of a multiply-add come from, and the order of multiply-adds that uses the
    // reuse cache best.
    void register_banks() {
        const auto draw = [&](WrapTable table, std::string_view caption) {
            table.place(std::min(rect_.w, 26 * px_));
            space(table.draw({rect_.x, y_}));
            paragraph(caption, Face::kRegular, look_.colors().ink2);
            space(0.6f * px_);
        };
        draw(sources_of(look_, px_), "A bank gives one operand a cycle.");
        draw(order_of(look_, px_),
             "The order of a thread's multiply-adds: a is reused along a row, b where the row "
             "changes.");
    }
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
