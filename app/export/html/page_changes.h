#pragma once
// The difference between two versions of the page's data, so that what they share is stored once.
#include <nlohmann/json.hpp>

namespace tilereel {

// What turns `first` into `second`, two objects with the same members: those that
// differ, as changes where they are objects. A list is written whole, or as an object
// {"index": element} if it keeps its length and this is shorter. page/read.js applies the changes.
[[nodiscard]] nlohmann::ordered_json changes_between(const nlohmann::ordered_json& first,
                                                     const nlohmann::ordered_json& second);

}  // namespace tilereel
