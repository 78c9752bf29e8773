#pragma once
// The replays of a lesson's page: each block that a scene shows, once.
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "app/replay/replay.h"
#include "instrumentation/base/result.h"

namespace tilereel {

class LessonReplays {
  public:
    explicit LessonReplays(std::function<Status()> check_cancelled)
        : check_cancelled_(std::move(check_cancelled)) {}

    // The number of the replay of a block. A new one is added. The trace must outlive this object.
    [[nodiscard]] Result<std::size_t> number_of(const Trace& trace, std::uint32_t block,
                                                const Generation& generation);
    [[nodiscard]] Replay& at(std::size_t number) { return *replays_[number]; }

    // [{"of": number or null, "data": ...}]: the data of each replay, as changes of an earlier one
    // where that is shorter (page_changes.h).
    [[nodiscard]] nlohmann::ordered_json json() const;

  private:
    using Key = std::tuple<const Trace*, std::uint32_t, const Generation*>;
    std::function<Status()> check_cancelled_;
    std::map<Key, std::size_t> numbers_;
    std::vector<std::unique_ptr<Replay>> replays_;
    std::vector<nlohmann::ordered_json> data_;
};

}  // namespace tilereel
