#include "app/stage/tensor/tensor_layout.h"

#include <algorithm>

#include "app/stage/tensor/tensor_head.h"

namespace tilereel::stage {
namespace {

class TensorLayoutMaker {
  public:
    TensorLayoutMaker(const TensorScene& scene, const std::vector<FragmentTexts>& texts,
                      const Rect& room)
        : scene_(scene), texts_(texts), room_(room), gap_(scene.u(18)) {
        layout_.is_low = has_low_head(scene, room.h);
        head_ = height_of_head(scene, layout_.is_low);
        const bool has_slots = !scene.moment.matrices.empty();
        slots_ = has_slots ? least_height_of_slots(scene) : 0;
        const float legend = scene.f(18) + scene.u(6);
        if (!layout_.is_low) {
            layout_.legend = {room.x, room.bottom() - legend, room.w, legend};
            room_.h -= legend + scene.u(6);
        }
    }

    TensorLayout make(std::size_t large) {
        if (!all_with_values()) one_large(large);
        return std::move(layout_);
    }

  private:
    // All fragments with values in the largest type for which they have room.
    bool all_with_values() {
        // Where text is large, one large matrix is better than three small ones.
        const float least = std::max(least_type(scene_.look), 0.7f * good_type(scene_.look));
        for (float type = most_type(scene_.look); type >= least; type -= scene_.look.px(0.5f)) {
            std::vector<FragmentPlace> places;
            for (std::size_t i = 0; i < texts_.size(); ++i) {
                if (!scene_.moment.fragments[i].has_values()) return false;
                places.push_back(natural_place(scene_, i, texts_[i], type));
            }
            if (places.size() == 3 ? place_three(places) : place_one(places)) return true;
        }
        return false;
    }

    // B above C has its columns, A at the left of C has its rows.
    bool place_three(std::vector<FragmentPlace>& places) {
        FragmentPlace &a = places[0], &b = places[1], &c = places[2];
        const float pitch_x = std::max(b.pitch_x, c.pitch_x);
        const float pitch_y = std::max(a.pitch_y, c.pitch_y);
        b = with_pitch(b, grid(b), pitch_x, b.pitch_y);
        c = with_pitch(c, grid(c), pitch_x, pitch_y);
        a = with_pitch(a, grid(a), a.pitch_x, pitch_y);
        const float right = std::max(b.all.w, c.all.w), left = room_.w - right - gap_;
        const float bottom = std::max(a.all.h, c.all.h), top = room_.h - bottom - gap_;
        const float wanted = slots_ > 0 ? scene_.u(420) : scene_.u(260);
        if (a.all.w > left || left < std::min(wanted, 0.5f * room_.w)) return false;
        if (top < b.all.h || top < head_ + slots_) return false;
        a = widened(a, grid(a), left);
        const float x = room_.right() - right, y = room_.bottom() - bottom;
        c = moved_to(c, {x, y});
        b = moved_to(b, {x, y - gap_ - b.all.h});
        a = moved_to(a, {room_.x, y});
        layout_.head = {room_.x, room_.y, left, head_};
        const Rect below{room_.x, room_.y + head_, left, top - head_};
        (slots_ > 0 ? layout_.slots : layout_.words) = below;
        layout_.places = std::move(places);
        return true;
    }

    // The matrices of a load that belongs to no product, below the slots.
    bool place_one(std::vector<FragmentPlace>& places) {
        FragmentPlace& one = places[0];
        const float top = room_.h - one.all.h - gap_;
        if (one.all.w > room_.w || top < head_ + slots_) return false;
        layout_.head = {room_.x, room_.y, room_.w, head_};
        if (slots_ > 0) {
            const float most = head_ + std::max(slots_, 0.62f * (room_.h - head_));
            layout_.slots = {room_.x, room_.y + head_, room_.w, std::min(top, most) - head_};
        }
        one = moved_to(one, {room_.x, layout_.head.bottom() + layout_.slots.h + gap_});
        layout_.places = std::move(places);
        return true;
    }

    void one_large(std::size_t large) {
        const bool several = texts_.size() > 1;
        large = std::min(large, texts_.size() - 1);
        layout_.places.resize(texts_.size());
        // What stands beside it gets less if the large one then shows its values.
        float right = 0;
        for (const float share : {0.36f, 0.3f}) {
            right = several || slots_ > 0 ? std::round(share * (room_.w - gap_)) : 0;
            const float left = room_.w - right - (right > 0 ? gap_ : 0);
            layout_.head = {room_.x, room_.y, left, head_};
            const Rect rest{room_.x, room_.y + head_, left, room_.h - head_};
            layout_.places[large] = place_in(scene_, large, texts_[large], rest);
            if (layout_.places[large].detail == CellDetail::kValues) break;
        }
        if (several) layout_.large = large;
        Rect beside{room_.right() - right, room_.y, right, room_.h};
        if (slots_ > 0) {
            const float most =
                std::min(several ? 0.5f * room_.h : room_.h, most_height_of_slots(scene_));
            layout_.slots = {beside.x, beside.y, beside.w, most};
            beside.y += most + gap_ / 2, beside.h -= most + gap_ / 2;
        }
        if (!several) return;
        const bool stacked = beside.h > 1.2f * beside.w;
        const float w = stacked ? beside.w : (beside.w - gap_ / 2) / 2;
        const float h = stacked ? (beside.h - gap_ / 2) / 2 : beside.h;
        float x = beside.x, y = beside.y;
        for (std::size_t i = 0; i < texts_.size(); ++i) {
            if (i == large) continue;
            layout_.places[i] = place_in(scene_, i, texts_[i], {x, y, w, h});
            (stacked ? y : x) += (stacked ? h : w) + gap_ / 2;
        }
    }

    [[nodiscard]] const FragmentGrid& grid(const FragmentPlace& place) const {
        return scene_.moment.fragments[place.which].grid;
    }

    const TensorScene& scene_;
    const std::vector<FragmentTexts>& texts_;
    Rect room_;
    float gap_, head_ = 0, slots_ = 0;  // heights in pixels; slots_: the least, 0: none
    TensorLayout layout_;
};

}  // namespace

TensorLayout layout_tensor(const TensorScene& scene, const std::vector<FragmentTexts>& texts,
                           const Rect& room, std::size_t large) {
    return TensorLayoutMaker(scene, texts, room).make(large);
}

}  // namespace tilereel::stage
