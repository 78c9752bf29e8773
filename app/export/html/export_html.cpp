#include "app/export/html/export_html.h"

#include <algorithm>
#include <string>

#include "app/export/html/page_changes.h"
#include "app/export/html/page_data.h"
#include "app/export/watched_block.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/format/json_text.h"
#include "page_parts.h"

namespace tilereel {
namespace {

// Escapes text between tags, so that "<" does not begin a tag.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else {
            out += c;
        }
    }
    return out;
}

// Escapes JSON within <script>, so that it contains neither "</script>" nor "<!--".
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

std::string page_of(const nlohmann::ordered_json& data, const std::string& title) {
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
    page += escaped(title);
    page += "</title>\n<style>\n";
    page += html_page::kStyle;
    page += "</style>\n";
    page += html_page::kBody;
    page += "<script type=\"application/json\" id=\"data\">";
    page += embeddable(data);
    page += "</script>\n<script>\n'use strict';\n(() => {\n";
    page += html_page::kScript;
    page += "})();\n</script>\n</html>\n";
    return page;
}

// The page's data of the launch with the other PAD, as changes of `first`. null if there is none.
Result<nlohmann::ordered_json> other_pad_data(const nlohmann::ordered_json& first,
                                              const HtmlRequest& request,
                                              const std::function<Status()>& check_cancelled) {
    if (request.other_pad == nullptr) return nlohmann::ordered_json();
    auto replay = replay_of_watched_block(*request.other_pad, request.block_x, request.block_y,
                                          *request.generation);
    if (!replay) return nlohmann::ordered_json();
    auto data = page_data(*replay, check_cancelled);
    if (data) return changes_between(first, *data);
    if (data.error().kind == ErrorKind::kCancelled) return data.error();
    return nlohmann::ordered_json();
}

}  // namespace

Status export_html(const Trace& trace, const HtmlRequest& request,
                   const std::filesystem::path& path) {
    auto replay =
        TRY(replay_of_watched_block(trace, request.block_x, request.block_y, *request.generation));
    // Opened first, so that a path that cannot be written is reported before the work.
    ReplacingFile file = TRY(ReplacingFile::open(path));
    const std::function<Status()> check_cancelled = [&]() -> Status {
        if (!request.interrupted || !request.interrupted()) return Done{};
        return Error{ErrorKind::kCancelled, "interrupted; '" + path.string() + "' was not written"};
    };
    auto data = TRY(page_data(replay, check_cancelled));
    auto other = TRY(other_pad_data(data, request, check_cancelled));
    data["opening"] = {{"light", request.light},
                       {"tick", std::clamp(request.tick.value_or(0.0), 0.0,
                                           static_cast<double>(replay.schedule().ticks))}};
    const std::string title = data["launch"]["title"].get<std::string>() + ", block " +
                              data["launch"]["blockName"].get<std::string>() + " - Tilereel";
    if (!other.is_null()) data["otherPad"] = std::move(other);
    std::string page = page_of(data, title);
    if (page.size() > kMostPageBytes && data.erase("otherPad") > 0) page = page_of(data, title);
    if (page.size() > kMostPageBytes)
        return failed("the page would have " + std::to_string(page.size() >> 20) + " MiB, and " +
                      std::to_string(kMostPageBytes >> 20) +
                      " is the most that opens well; choose smaller sizes, such as a smaller --k");
    TRY(file.write(std::as_bytes(std::span(page))));
    return file.commit();
}

}  // namespace tilereel
