#pragma once
// Numbers distinct values, so that the page's data contains each of them once.
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

namespace tilereel {

template <class Key>
class Numbering {
  public:
    // The number of this key. A new key gets the next number.
    std::uint32_t number_of(const Key& key) {
        const auto [place, is_new] = numbers_.try_emplace(key, size());
        if (is_new) keys_.push_back(&place->first);
        return place->second;
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
    // All keys, in the order of their numbers.
    [[nodiscard]] nlohmann::json json() const {
        nlohmann::json list = nlohmann::json::array();
        for (const Key* key : keys_) list.push_back(*key);
        return list;
    }

  private:
    std::map<Key, std::uint32_t> numbers_;
    std::vector<const Key*> keys_;
};

}  // namespace tilereel
