#include "app/panels/source/trust_offer.h"

#include <algorithm>

#include "app/panels/measure.h"
#include "app/panels/panel_column.h"
#include "app/panels/panel_memory.h"
#include "app/subject/trust.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

TextStyle style_of(const Look& look) {
    return {Face::kRegular, type_px(look, 13), look.colors().ink2};
}

}  // namespace

std::string trust_offer_text(const OpenedProgram& program) {
    if (program.running || !program.request.in_sandbox) return {};
    if (lacks_headers_in_sandbox(program.compile_errors))
        return "It is compiled in a sandbox, which has no files but those beside it.";
    if (!program.compile_errors.empty() || !program.run) return {};
    return sandbox_hint(program.request, *program.run);
}

float trust_offer_height(const Look& look, const OpenedProgram& program, float width) {
    const std::string words = trust_offer_text(program);
    if (words.empty()) return 0;
    return paragraph_height(words, width, style_of(look)) +
           column_button_height(type_px(look, 13)) + look.gap() + look.tight();
}

void draw_trust_offer(ProgramScope& panel, ImVec2 at, float width) {
    const std::string words = trust_offer_text(panel.program);
    if (words.empty()) return;
    const Look& look = panel.look;
    const TextStyle style = style_of(look);
    const float top = at.y + draw_paragraph(at, width, words, style) + look.tight();
    const std::string_view label = "trust this folder";
    const Rect place{at.x, top, std::min(width, button_width(look, label)),
                     column_button_height(style.px)};
    if (text_button(look, "program.trust", place, label, false,
                    "Run programs of this folder with your rights from now on: your own work "
                    "(Shift+T)"))
        panel.commands.push_back(TrustFolder{});
}

}  // namespace tilereel
