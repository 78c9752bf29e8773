#include "app/export/html/lesson_replays.h"

#include "app/export/html/page_changes.h"
#include "app/export/html/page_data.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {

Result<std::size_t> LessonReplays::number_of(const Trace& trace, std::uint32_t block,
                                             const Generation& generation) {
    const auto [place, is_new] = numbers_.try_emplace({&trace, block, &generation}, data_.size());
    if (!is_new) return place->second;
    auto replay = std::make_unique<Replay>(TRY(Replay::of_block(trace, block, generation)));
    auto data = TRY(page_data(*replay, check_cancelled_));
    data["opening"] = {{"light", false}, {"tick", 0}};
    data_.push_back(std::move(data));
    replays_.push_back(std::move(replay));
    return place->second;
}

nlohmann::ordered_json LessonReplays::json() const {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (std::size_t i = 0; i < data_.size(); ++i) {
        Json best = {{"of", nullptr}, {"data", data_[i]}};
        std::size_t least = json_text(data_[i]).size();
        for (std::size_t earlier = 0; earlier < i; ++earlier) {
            Json changes = changes_between(data_[earlier], data_[i]);
            const std::size_t size = json_text(changes).size();
            if (size >= least) continue;
            least = size;
            best = {{"of", earlier}, {"data", std::move(changes)}};
        }
        list.push_back(std::move(best));
    }
    return list;
}

}  // namespace tilereel
