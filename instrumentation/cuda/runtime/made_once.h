#pragma once
// Values that threads share, each made when it is first asked for, and kept as long as the process.
//
// Why not a map with a lock alone: each lane of each warp asks for the sites of its call. What a
// thread has asked for lately it finds without the lock, by the key's hash.
#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

namespace tilereel::runtime {

// The value of `key`: what make() returned at the first call with this key. Each place that calls
// made_once() has values of its own, because each `make` has a type of its own. `hash` may be any
// number that is the same for equal keys.
template <class Key, class Make>
auto& made_once(const Key& key, std::size_t hash, Make&& make) {
    using Value = std::decay_t<std::invoke_result_t<Make>>;
    struct Recent {
        Key key{};
        Value* value = nullptr;
    };
    constexpr std::size_t kRecent = 64;
    static thread_local std::array<Recent, kRecent> recent;
    Recent& last = recent[hash % kRecent];
    if (last.value != nullptr && last.key == key) return *last.value;
    static std::mutex mutex;
    static auto& known = *new std::map<Key, Value>;
    const std::lock_guard lock(mutex);
    auto entry = known.find(key);
    if (entry == known.end()) entry = known.emplace(key, make()).first;
    last = {key, &entry->second};
    return entry->second;
}

// For the hash of a key: neighbouring objects of a program get different numbers.
[[nodiscard]] inline std::size_t object_number(const void* object) {
    return reinterpret_cast<std::size_t>(object) / alignof(std::max_align_t);
}

}  // namespace tilereel::runtime
