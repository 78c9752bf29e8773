#include "app/export/html/html_text.h"

#include <zlib.h>

#include <vector>

#include "instrumentation/base/check.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/base/format/markup_text.h"

namespace tilereel {

std::string escaped(std::string_view text) {
    // Through JSON, which replaces what is no UTF-8.
    const std::string sound =
        nlohmann::json::parse(json_text(nlohmann::ordered_json(std::string(text))))
            .get<std::string>();
    std::string seen;
    for (const char c : sound)
        if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t') seen += c;
    return markup_text(seen);
}

std::string embeddable(const nlohmann::ordered_json& data) {
    const std::string text = json_text(data);
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string script_with(const char* id, const std::string& json) {
    return std::string("<script type=\"application/json\" id=\"") + id + "\">" + json + "</script>";
}

std::string packed(const std::string& text) {
    uLongf size = compressBound(text.size());
    std::vector<Bytef> bytes(size);
    const int done = compress2(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()),
                               text.size(), Z_BEST_COMPRESSION);
    check(done == Z_OK);  // the buffer is large enough
    constexpr const char* kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes.resize((size + 2) / 3 * 3, 0);
    std::string out;
    out.reserve(bytes.size() / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const unsigned all = bytes[i] << 16U | bytes[i + 1] << 8U | bytes[i + 2];
        for (const unsigned shift : {18U, 12U, 6U, 0U}) out += kDigits[all >> shift & 63U];
    }
    for (std::size_t extra = bytes.size() - size; extra > 0; --extra) out[out.size() - extra] = '=';
    return out;
}

}  // namespace tilereel
