// The card in which the user chooses the arrays A, B and C of a product.
#include <algorithm>
#include <cmath>

#include "app/stage/general.h"
#include "app/stage/scene.h"
#include "app/ui/menu.h"
#include "app/ui/widgets.h"
#include "app/ui/wrap_text.h"

namespace tilereel::stage {
namespace {

using ProductCard = GeneralView::ProductCard;

constexpr std::string_view kCardWords =
    "C has M rows and N columns, A has K columns. Padding and transposed matrices are found by "
    "what "
    "the kernel accesses.";

// The product that the user named and that is shown. nullptr if there is none.
const NamedProduct* named_product(const Scene& scene) {
    const OpenedProgram* const program = scene.workbench.program();
    return program != nullptr && program->named ? &*program->named : nullptr;
}

// Starts with the named product. Without one, guesses from the names of the arrays, or else from
// the order of their first access: the last is the one that is stored.
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

// Lays out and draws the card from top to bottom.
class CardDrawer {
  public:
    CardDrawer(Scene& scene, ProductCard& card, const Rect& stage) : scene_(scene), card_(card) {
        pad_ = scene.u(14);
        row_ = scene.u(10) + scene.f(18);
        const float w = std::min(scene.u(60) + scene.f(440), stage.w - scene.u(20));
        inner_w_ = w - 2 * pad_;
        words_ = wrap_text(kCardWords, inner_w_, Face::kRegular, scene.f(14));
        const float words = static_cast<float>(words_.size()) * scene.f(19);
        const float h = 2 * pad_ + 4 * row_ + words + 4 * scene.u(8);
        rect_ = {stage.right() - w - scene.u(10), stage.bottom() - h - scene.u(10), w, h};
    }

    // Returns true when the card must be closed.
    bool draw() {
        begin();
        float y = rect_.y + pad_;
        const ImVec2 title{rect_.x + pad_, y + row_ / 2};
        draw_text_fit(title, inner_w_, "Show as a product C = A B",
                      scene_.text(Face::kSemiBold, 18, scene_.colors().ink));
        y += row_ + scene_.u(8);
        draw_arrays(y);
        y += row_ + scene_.u(8);
        extents_chip(scene_.look, "stage.product.sizes", {rect_.x + pad_, y, inner_w_, row_},
                     card_.sizes, "Rows of C, columns of C, columns of A");
        y += row_ + scene_.u(8);
        draw_lines({rect_.x + pad_, y + scene_.f(9)}, words_, scene_.body(scene_.colors().ink2),
                   scene_.f(19));
        y += static_cast<float>(words_.size()) * scene_.f(19);
        const bool closed = draw_buttons(y + scene_.u(8));
        ImGui::End();
        return closed;
    }

  private:
    void begin() {
        ImGui::SetNextWindowPos(rect_.min());
        ImGui::SetNextWindowSize({rect_.w, rect_.h});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
        ImGui::Begin("stage.product", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoNav);
        ImGui::PopStyleVar(2);
        register_widget("stage.product", rect_);
        draw_box(rect_, scene_.colors().panel, scene_.colors().accent, scene_.look.frame(),
                 scene_.look.px(8));
    }

    void draw_arrays(float y) {
        const float gap = scene_.u(8), w = std::floor((inner_w_ - 2 * gap) / 3);
        float x = rect_.x + pad_;
        for (const auto& [label, name, index] : {std::tuple("A", "stage.product.a", &card_.a),
                                                 std::tuple("B", "stage.product.b", &card_.b),
                                                 std::tuple("C", "stage.product.c", &card_.c)}) {
            const int chosen = choice_chip(scene_.look, name, {x, y, w, row_}, label, card_.arrays,
                                           *index, "Which array it is");
            if (chosen >= 0) *index = chosen;
            x += w + gap;
        }
    }

    bool draw_buttons(float y) {
        const auto width = [&](const char* label) {
            return text_width(label, Face::kSemiBold, scene_.f(15)) + scene_.u(32);
        };
        const float show = width("Show"), close = width("Close");
        const float right = rect_.right() - pad_;
        if (text_button(scene_.look, "stage.product.show", {right - show, y, show, row_}, "Show",
                        true, "Show it so; kept for this file")) {
            scene_.commands.push_back(NameProduct{product_of(card_)});
            scene_.view.general.of_product = false;
        }
        const float forget = width("Forget");
        if (card_.named &&
            text_button(scene_.look, "stage.product.forget", {rect_.x + pad_, y, forget, row_},
                        "Forget", false,
                        "Show the kernel as if no product had been named for this file"))
            scene_.commands.push_back(NameProduct{});
        return text_button(scene_.look, "stage.product.close",
                           {right - show - scene_.u(8) - close, y, close, row_}, "Close", false,
                           "Change nothing");
    }

    Scene& scene_;
    ProductCard& card_;
    Rect rect_;
    std::vector<std::string_view> words_;
    float pad_ = 0, row_ = 0, inner_w_ = 0;
};

}  // namespace

void draw_product_card(Scene& scene, const Rect& stage) {
    std::optional<ProductCard>& card = scene.view.general.product_card;
    // The card is closed when another launch, or the product itself, is shown.
    if (card && card->replay != scene.replay.id()) card.reset();
    const bool named = named_product(scene) != nullptr;
    if (!scene.workbench.shows_program() || (scene.trace.product && !named)) return card.reset();
    if (!card && scene.has_controls()) {
        const std::string label = named ? "product\xe2\x80\xa6" : "as a product\xe2\x80\xa6";
        // Beside the button that shows a product as arrays.
        Rect chip;
        const bool beside = scene.trace.product && find_widget("stage.as_arrays", chip);
        const Rect rect =
            chip_at(scene, (beside ? chip.x : stage.right() - scene.u(2)) - scene.u(8),
                    stage.bottom(), label);
        if (text_button(scene.look, "stage.name_product", rect, label, false,
                        named ? "The product that was named: change or forget it"
                              : "Say which arrays are A, B and C of a matrix product"))
            card = new_card(scene);
    }
    if (card && CardDrawer(scene, *card, stage).draw()) card.reset();
}

}  // namespace tilereel::stage
