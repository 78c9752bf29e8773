#pragma once
// Collects insertions into and replacements of PTX text.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilereel::gpu {

class PtxEdits {
  public:
    // `original` must outlive this.
    explicit PtxEdits(std::string_view original) : original_(original) {}
    // Texts at the same place appear in the order of the calls, before a replacement there.
    void insert(std::size_t at, std::string text) { edits_.push_back({at, 0, std::move(text)}); }
    void insert_first(std::size_t at, std::string text);  // before all other texts at this place
    void replace(std::size_t at, std::size_t removed, std::string text);
    // `token` is a part of the original.
    void insert_before(std::string_view token, std::string text) {
        insert(offset_of(token), std::move(text));
    }
    void insert_after(std::string_view token, std::string text) {
        insert(offset_of(token) + token.size(), std::move(text));
    }
    [[nodiscard]] std::string text();

  private:
    struct Edit {
        std::size_t at = 0, removed = 0;
        std::string text;
        bool is_first = false;
    };
    [[nodiscard]] std::size_t offset_of(std::string_view token) const {
        return static_cast<std::size_t>(token.data() - original_.data());
    }

    std::string_view original_;
    std::vector<Edit> edits_;
};

}  // namespace tilereel::gpu
