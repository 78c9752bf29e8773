#include "app/export/html/export_html.h"

#include <algorithm>
#include <span>
#include <string>

#include "app/export/html/html_text.h"
#include "app/export/html/page_changes.h"
#include "app/export/watched_block.h"
#include "app/replay/places/navigation.h"
#include "instrumentation/base/files/replacing_file.h"
#include "page_parts.h"

namespace tilereel {
namespace {

std::string page_of(const std::string& data, const std::string& others, const std::string& title) {
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
    page += escaped(title);
    page += "</title>\n<style>\n";
    page += html_page::kColours;
    page += html_page::kStyle;
    page += html_page::kPhoneStyle;
    page += "</style>\n";
    page += html_page::kBody;
    page += script_with("data", data);
    page += script_with("others", others);
    page += "<script>\n'use strict';\n(() => {\n";
    page += html_page::kScript;
    page += "})();\n</script>\n</html>\n";
    return page;
}

using CheckCancelled = std::function<Status()>;

// The page's data of another launch. The block is the one that stores what `shown` stores.
Result<nlohmann::ordered_json> data_of_other(const Trace& other, const Replay& shown,
                                             const CheckCancelled& check_cancelled) {
    const std::uint32_t block = block_at(other, place_at(shown, 0));
    if (!is_chosen(other, block)) return failed("the block was not recorded");
    auto replay = TRY(Replay::of_block(other, block, shown.generation()));
    return page_data(replay, check_cancelled);
}

// The other launches as changes of `data`, the texts of a list. Those that fit into `room` bytes.
struct Others {
    std::string text;  // without brackets
    std::size_t count = 0;
};
Result<Others> others_within(std::size_t room, const nlohmann::ordered_json& data,
                             const std::vector<const Trace*>& traces, const Replay& shown,
                             const CheckCancelled& check_cancelled) {
    Others others;
    for (const Trace* const trace : traces) {
        const auto other = data_of_other(*trace, shown, check_cancelled);
        if (!other && other.error().kind == ErrorKind::kCancelled) return other.error();
        if (!other) break;
        const std::string changes = embeddable(changes_between(data, *other));
        const std::string next = (others.count > 0 ? "," : "") + changes;
        if (others.text.size() + next.size() > room) break;
        others.text += next;
        ++others.count;
    }
    return others;
}

}  // namespace

Result<WrittenPage> export_html(const Trace& trace, const HtmlRequest& request,
                                const std::filesystem::path& path) {
    auto replay =
        TRY(replay_of_watched_block(trace, request.block_x, request.block_y, *request.generation));
    // Opened first, so that a path that cannot be written is reported before the work.
    ReplacingFile file = TRY(ReplacingFile::open(path));
    const CheckCancelled check_cancelled = [&]() -> Status {
        if (!request.interrupted || !request.interrupted()) return Done{};
        return Error{ErrorKind::kCancelled, "interrupted; '" + path.string() + "' was not written"};
    };
    auto data = TRY(page_data(replay, check_cancelled));
    data["opening"] = {{"light", request.light},
                       {"tick", std::clamp(request.tick.value_or(0.0), 0.0,
                                           static_cast<double>(replay.schedule().ticks))}};
    const std::string title = data["launch"]["title"].get<std::string>() + ", block " +
                              data["launch"]["blockName"].get<std::string>() + " - Tilereel";
    const std::string first = embeddable(data);
    const std::size_t alone = page_of(first, "[]", title).size();
    if (alone > request.most_bytes)
        return failed("the page would have " + std::to_string(alone >> 20) + " MiB, and " +
                      std::to_string(request.most_bytes >> 20) +
                      " is the most that opens well; choose smaller sizes, such as a smaller --k");
    const auto others = TRY(
        others_within(request.most_bytes - alone, data, request.others, replay, check_cancelled));
    const std::string page = page_of(first, "[" + others.text + "]", title);
    TRY(file.write(std::as_bytes(std::span(page))));
    TRY(file.commit());
    return WrittenPage{page.size(), others.count};
}

}  // namespace tilereel
