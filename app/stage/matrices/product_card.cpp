// The card in which the user chooses the arrays A, B and C of a product.
#include <algorithm>
#include <cmath>

#include "app/stage/general/general.h"
#include "app/stage/scene.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel::stage {
namespace {

using ProductCard = GeneralView::ProductCard;

constexpr std::string_view kCardWords =
    "C has M rows and N columns, A has K columns. Padding and transposed matrices are found by "
    "what the kernel accesses.";

// The product that the user named and that is shown. nullptr if there is none.
const NamedProduct* named_product(const Scene& scene) {
    const OpenedProgram* const program = scene.workbench.program();
    return program != nullptr && program->named ? &*program->named : nullptr;
}

// A card with the named product or, without one, with the product that guess_product() finds.
ProductCard new_card(const Scene& scene) {
    ProductCard card;
    card.replay = scene.replay.id();
    if (const NamedProduct* const named = named_product(scene)) card.named = *named;
    const NamedProduct guess = card.named ? *card.named : guess_product(scene.trace);
    for (const Array& array : scene.trace.arrays)
        if (array.space == Space::kGlobal &&
            std::ranges::find(card.arrays, array.name) == card.arrays.end())
            card.arrays.push_back(array.name);
    const auto index_of = [&card](const std::string& name) {
        const auto found = std::ranges::find(card.arrays, name);
        return found == card.arrays.end() ? 0 : static_cast<int>(found - card.arrays.begin());
    };
    card.a = index_of(guess.a.array);
    card.b = index_of(guess.b.array);
    card.c = index_of(guess.c.array);
    const Launch& launch = scene.trace.launch;  // for a product, these are its sizes
    card.sizes[0] = static_cast<int>(card.named ? launch.m : guess.m);
    card.sizes[1] = static_cast<int>(card.named ? launch.n : guess.n);
    card.sizes[2] = static_cast<int>(card.named ? launch.k : guess.k);
    return card;
}

NamedProduct product_of(const ProductCard& card) {
    // A matrix that was named as column-major stays column-major.
    const auto factor = [&card](int index, const NamedProduct::Factor NamedProduct::*matrix) {
        const std::string& array = card.arrays[static_cast<std::size_t>(index)];
        const bool same = card.named && ((*card.named).*matrix).array == array;
        return NamedProduct::Factor{array, same && ((*card.named).*matrix).by_columns};
    };
    const auto extent = [](int size) { return static_cast<std::uint32_t>(std::max(size, 1)); };
    return {.a = factor(card.a, &NamedProduct::a),
            .b = factor(card.b, &NamedProduct::b),
            .c = factor(card.c, &NamedProduct::c),
            .m = extent(card.sizes[0]),
            .n = extent(card.sizes[1]),
            .k = extent(card.sizes[2])};
}

void draw_arrays(const Scene& scene, ProductCard& card, const Rect& row) {
    const float gap = scene.u(8), w = std::floor((row.w - 2 * gap) / 3);
    float x = row.x;
    for (const auto& [label, name, index] :
         {std::tuple("A", "stage.product.a", &card.a), std::tuple("B", "stage.product.b", &card.b),
          std::tuple("C", "stage.product.c", &card.c)}) {
        const int chosen = choice_chip(scene.look, name, {x, row.y, w, row.h}, label, card.arrays,
                                       *index, "Which array this matrix is");
        if (chosen >= 0) *index = chosen;
        x += w + gap;
    }
}

// Returns true when the card must be closed.
bool draw_buttons(Scene& scene, const ProductCard& card, const Rect& place) {
    ButtonRow row(scene.look, place);
    const bool shown = row.from_right("stage.product.show", "Show (Enter)", true,
                                      "Show this product; remembered for this file");
    if (shown || card.taken) {
        scene.commands.push_back(NameProduct{product_of(card)});
        scene.commands.push_back(ShowAsArrays{false});
    }
    const bool closed =
        row.from_right("stage.product.close", "Close (Esc)", false, "Change nothing");
    if (card.named &&
        row.from_left("stage.product.forget", "Forget", false,
                      "Show the kernel as if no product had been named for this file"))
        scene.commands.push_back(NameProduct{});
    return closed;
}

// Draws the card from top to bottom. Returns true when it must be closed.
bool draw_opened_card(Scene& scene, ProductCard& card, const Rect& stage) {
    const float pad = scene.u(14), gap = scene.u(8), line = scene.f(19);
    const float w = std::min(scene.u(60) + scene.f(440), stage.w - scene.u(20));
    Rect row{0, 0, w - 2 * pad, scene.u(10) + scene.f(18)};
    const TextStyle style = scene.body(scene.colors().ink2);
    const auto words = wrap_text(kCardWords, row.w, style.face, style.px);
    const float words_h = static_cast<float>(words.size()) * line;
    const float h = 2 * pad + 4 * row.h + words_h + 4 * gap;
    const Rect rect{stage.right() - w - scene.u(10), stage.bottom() - h - scene.u(10), w, h};
    begin_plain_window("stage.product", rect);
    register_widget("stage.product", rect);
    draw_box(rect, scene.colors().panel, scene.colors().accent, scene.look.frame(),
             scene.look.gap());
    row.x = rect.x + pad, row.y = rect.y + pad;
    draw_text_fit({row.x, row.center().y}, row.w, "Show as a product C = A B",
                  scene.text(Face::kSemiBold, 18, scene.colors().ink));
    row.y += row.h + gap;
    draw_arrays(scene, card, row);
    row.y += row.h + gap;
    extents_chip(scene.look, "stage.product.sizes", row, card.sizes,
                 "Rows of C, columns of C, columns of A");
    row.y += row.h + gap;
    draw_lines({row.x, row.y + scene.f(9)}, words, style, line);
    row.y += words_h + gap;
    const bool closed = draw_buttons(scene, card, row);
    card.taken = false;
    ImGui::End();
    return closed;
}

}  // namespace

std::string product_card_label(const Scene& scene) {
    if (named_product(scene) != nullptr) return "product\xe2\x80\xa6";
    return scene.trace.product ? "" : "as a product\xe2\x80\xa6";
}

void draw_product_card(Scene& scene, const Rect& stage) {
    std::optional<ProductCard>& card = scene.view.general.product_card;
    // The card is closed when another launch is shown, or a product that the user did not name.
    if (card && card->replay != scene.replay.id()) card.reset();
    const bool named = named_product(scene) != nullptr;
    if (!scene.workbench.shows_program() || (scene.trace.product && !named)) return card.reset();
    if (!card && scene.has_controls()) {
        if (text_button(scene.look, "stage.name_product", scene.chips.name_product,
                        product_card_label(scene), false,
                        named ? "The product that was named: change or forget it"
                              : "Say which arrays are A, B and C of a matrix product"))
            card = new_card(scene);
    }
    if (card && draw_opened_card(scene, *card, stage)) card.reset();
}

}  // namespace tilereel::stage
