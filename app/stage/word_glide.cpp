#include "app/stage/word_glide.h"

#include <algorithm>
#include <cmath>

#include "app/replay/sentence/sentence_facts.h"
#include "app/stage/transfer_path.h"

namespace tilereel::stage {
namespace {

constexpr std::size_t kMostWords = 4096;  // more cannot be followed, and take too long to draw

Rect part_way(const Rect& from, const Rect& to, float share) {
    return {between(from.x, to.x, share), between(from.y, to.y, share),
            between(from.w, to.w, share), between(from.h, to.h, share)};
}

const SharedView* former_view(const Scene& scene, const SharedView& view) {
    const StageView::Glide& glide = scene.view.glide;
    const std::string& name = scene.trace.arrays[view.array].name;
    for (std::size_t i = 0; i < glide.from.views.size(); ++i)
        if (const SharedView& former = glide.from.views[i];
            glide.from.names[i] == name && former.plane == view.plane && !former.small)
            return &former;
    return nullptr;
}

// How far the former picture is moved to the right, so that its words start beside A, B and C of
// the picture now and not on them.
float shift_of_former(const Scene& scene) {
    float left = scene.layout.strip.right();
    for (const SharedView& view : scene.view.glide.from.views) left = std::min(left, view.window.x);
    return scene.layout.strip.right() - left;
}

// The element of the former array that lies at `element` of the view now.
Element former_element(const Scene& scene, const SharedView& view, const SharedView& former,
                       Element element) {
    const std::size_t cell = std::size_t{element.row} * view.leading_dimension + element.column;
    for (const auto& [name, places] : scene.view.glide.former_places)
        if (name == scene.trace.arrays[view.array].name && cell < places.size())
            return places[cell];
    return {element.row - view.first_row + former.first_row, element.column};
}

// "load As"
std::string request_to_shared(const Scene& scene) {
    const Site* const site = scene.site();
    if (site == nullptr || site->array == kNoArray) return {};
    return std::string(words_for(site->operation).request) + " " +
           scene.trace.arrays[site->array].name;
}

}  // namespace

void begin_glide(StageView& view, const Workbench& workbench, const Look& look, bool replaced) {
    StageView::Glide& glide = view.glide;
    if (!workbench.view().motion) glide.begun = -1e9;
    if (!replaced) return;
    if (!workbench.view().motion || glide.last.views.empty()) return;
    const tilereel::SharedForm form = form_of(*workbench.replay());
    if (!slides(glide.last.form, form)) return;
    glide.from = glide.last;
    glide.former_places.clear();
    for (const tilereel::SharedForm::Array& array : form.arrays)
        if (const tilereel::SharedForm::Array* const former = glide.from.form.find(array.name);
            former != nullptr && former->rows == array.rows && former->columns == array.columns)
            glide.former_places.emplace_back(array.name, former_places(*former, array));
    glide.begun = look.now_seconds;
}

void keep_for_glide(Scene& scene) {
    StageView::SharedPicture& last = scene.view.glide.last;
    last.views = scene.layout.arrays;
    last.stage = scene.layout.all;
    last.wavefronts = scene.shared_request() && scene.state.step != kNoStep
                          ? scene.state.request.cost.wavefronts
                          : 0;
    last.request = request_to_shared(scene);
    if (last.replay == scene.replay.id() && last.names.size() == last.views.size()) return;
    last.replay = scene.replay.id();
    last.form = form_of(scene.replay);
    last.names.clear();
    for (const SharedView& view : last.views)
        last.names.push_back(scene.trace.arrays[view.array].name);
}

float glide_share(const Scene& scene) {
    // In a stage of another size the former places mean nothing, and may lie outside.
    const Rect &was = scene.view.glide.from.stage, &is = scene.layout.all;
    if (was.size().x != is.size().x || was.size().y != is.size().y) return 1;
    return tilereel::glide_share(scene.look, scene.view.glide.begun);
}

std::optional<Rect> gliding_place(const Scene& scene, const SharedView& view, Element element,
                                  const Rect& place) {
    const SharedView* const former = former_view(scene, view);
    if (former == nullptr) return std::nullopt;
    const Element before = former_element(scene, view, *former, element);
    if (before.row < former->first_row || before.row >= former->first_row + former->row_count ||
        before.column >= former->used_columns || element.column >= view.used_columns)
        return std::nullopt;
    Rect from = former->cell_of(before);
    from.x += shift_of_former(scene);
    return part_way(from, place, glide_share(scene));
}

float appearing(const Scene& scene) {
    constexpr float kFrom = 0.85f;  // of the way: headings are as good as in their places
    return std::clamp((glide_share(scene) - kFrom) / (1 - kFrom), 0.0f, 1.0f);
}

ImVec2 gliding_title(const Scene& scene, const SharedView& view) {
    const SharedView* const former = former_view(scene, view);
    const float share = glide_share(scene);
    if (former == nullptr || share >= 1) return view.title;
    const ImVec2 from{former->title.x + shift_of_former(scene), former->title.y};
    const float w = scene.f(110), h = scene.f(20);  // of the longest heading
    const Rect way =
        Rect{from.x, from.y - h / 2, w, h}.joined({view.title.x, view.title.y - h / 2, w, h});
    const StageLayout& layout = scene.layout;  // other pictures of the stage are not crossed
    for (const Rect& other : {layout.fragments, layout.registers, layout.bank_area})
        if (way.overlaps(other)) return view.title;
    return {std::round(between(from.x, view.title.x, share)),
            std::round(between(from.y, view.title.y, share))};
}

bool behind_banks(const Scene& scene, const Rect& word) {
    return scene.layout.bank_area.overlaps(word);
}

void draw_gliding_words(Scene& scene, const SharedView& view, const std::vector<Cell>& looks) {
    const float appears = appearing(scene);
    std::vector<MovingCell> words;
    const CellRect elements{view.first_row, 0, view.first_row + view.row_count,
                            view.leading_dimension};
    std::uint32_t row = kNoIndex;  // of the last rectangle in Scene::flying
    for_each_element(elements, [&](Element at) {
        const Rect place = view.cell_of(at);
        if (!view.window.contains(place.center()) || words.size() >= kMostWords) return;
        const Cell& look = looks[view.index(at)];
        const auto gliding = gliding_place(scene, view, at, place);
        if (!gliding && appears <= 0) return;
        const auto alpha = static_cast<std::uint8_t>(gliding ? 255 : 255 * appears);
        const Rect rect = gliding.value_or(place);
        if (behind_banks(scene, rect)) return;
        const float gap = std::min(rect.w, rect.h) >= scene.look.px(5) ? scene.u(1) : 0;
        words.push_back({rect.inset(gap), look.look, look.role, alpha, scene.look.px(2)});
        if (row == at.row)
            scene.flying.back() = scene.flying.back().joined(rect);
        else
            scene.flying.push_back(rect);
        row = at.row;
    });
    add_moving_cells(scene.look, std::move(words));
}

std::optional<std::uint32_t> gliding_wavefronts(const Scene& scene) {
    const float share = glide_share(scene);
    const std::uint32_t from = scene.view.glide.from.wavefronts;
    const std::uint32_t to = scene.state.request.cost.wavefronts;
    if (share >= 1 || !scene.shared_request() || scene.state.step == kNoStep || from == 0 ||
        from == to || scene.view.glide.from.request != request_to_shared(scene))
        return std::nullopt;
    return static_cast<std::uint32_t>(
        std::lround(between(static_cast<float>(from), static_cast<float>(to), share)));
}

}  // namespace tilereel::stage
