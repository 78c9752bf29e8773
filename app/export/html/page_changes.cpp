#include "app/export/html/page_changes.h"

#include <string>

#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

Json changed_list(const Json& first, const Json& second) {
    if (first.size() != second.size()) return second;
    Json elements = Json::object();
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[i] != second[i]) elements[std::to_string(i)] = second[i];
    return json_text(elements).size() < json_text(second).size() ? elements : second;
}

}  // namespace

Json changes_between(const Json& first, const Json& second) {
    Json changes = Json::object();
    for (const auto& [name, value] : second.items()) {
        const auto before = first.find(name);
        if (before == first.end()) {
            changes[name] = value;
        } else if (*before != value) {
            if (value.is_object() && before->is_object())
                changes[name] = changes_between(*before, value);
            else if (value.is_array() && before->is_array())
                changes[name] = changed_list(*before, value);
            else
                changes[name] = value;
        }
    }
    return changes;
}

}  // namespace tilereel
