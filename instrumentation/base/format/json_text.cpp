#include "instrumentation/base/format/json_text.h"

#include <nlohmann/json.hpp>

namespace tilereel {

std::string json_text(const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::json read_json(std::string_view text) {
    return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace tilereel
