#pragma once
// Recordings of the ladder for tests of what is shown: each launch is recorded once in a process,
// by the real recorder, however many windows show it.
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "app/ladder/ladder.h"
#include "app/workbench/race/race_worker.h"
#include "app/workbench/recording/recording.h"

namespace tilereel {

// What find() returns for a key, made by the first who asks for it. Threads may ask at once.
template <class Key, class Value>
class Remembered {
  public:
    template <class Make>
    Result<Value> find(const Key& key, const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = values_.find(key); found != values_.end()) return found->second;
        }
        Result<Value> made = make();
        if (made) {
            const std::lock_guard lock(mutex_);
            values_.emplace(key, *made);
        }
        return made;
    }

  private:
    std::mutex mutex_;
    std::map<Key, Value> values_;
};

// Larger launches are recorded each time, so that they take no memory.
inline constexpr std::uint64_t kMostRemembered = std::uint64_t{64} * 64 * 64;  // multiply-adds

inline RecordFunction remembered_recordings() {
    return [](const RecordRequest& r, RecordProgress* progress,
              std::string* without_gpu) -> Result<Trace> {
        const KernelParameters& p = r.parameters;
        const auto record = [&] { return record_ladder(r, progress, without_gpu); };
        const std::uint64_t work = static_cast<std::uint64_t>(p.m) *
                                   static_cast<std::uint64_t>(p.n) *
                                   static_cast<std::uint64_t>(p.k);
        if (r.recorder != Recorder::kCpu || !r.inputs.a.empty() || !r.inputs.b.empty() ||
            !r.inputs.c.empty() || work > kMostRemembered)
            return record();
        const auto key = std::tuple(r.kernel, std::tuple(p.m, p.n, p.k, p.tile, p.pad), r.seed,
                                    r.memory_limit_bytes, r.accumulator_interval, r.removed_barrier,
                                    r.order, r.find_failing_order, r.block, r.lanes_may_diverge);
        static Remembered<std::decay_t<decltype(key)>, Trace> remembered;
        return remembered.find(key, record);
    };
}

inline CountLaunch remembered_counts() {
    return [](const CountedLaunch& launch, RecordProgress* progress) {
        const KernelParameters& p = launch.parameters;
        static Remembered<std::tuple<std::string, int, int, int, int, int>, SizedCounts> remembered;
        return remembered.find({launch.kernel, p.m, p.n, p.k, p.tile, p.pad},
                               [&] { return count_recorded(launch, progress); });
    };
}

}  // namespace tilereel
