#pragma once
// Reads the values of a JSON object of a trace file's description.
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// Looks values up by name and remembers the first that is missing or of the wrong kind.
class MetaReader {
  public:
    using Json = nlohmann::json;

    explicit MetaReader(const Json& object) : object_(object) {}

    template <class T>
    void number(const char* name, T& value) {
        const Json* found = find(name, &Json::is_number_unsigned);
        if (!found) return;
        const auto wide = found->get<std::uint64_t>();
        if (wide > std::numeric_limits<T>::max()) return fail(name);
        value = static_cast<T>(wide);
    }
    void text(const char* name, std::string& value) {
        if (const Json* found = find(name, &Json::is_string))
            value = found->get_ref<const std::string&>();
    }
    // If it is absent, `value` stays.
    void optional_number(const char* name, std::optional<std::uint64_t>& value) {
        if (!object_.is_object() || !object_.contains(name)) return;
        std::uint64_t found = 0;
        number(name, found);
        value = found;
    }
    void truth(const char* name, bool& value) {
        if (const Json* found = find(name, &Json::is_boolean)) value = found->get<bool>();
    }
    void dimensions(const char* name, Dim3& value) {
        const Json* found = find(name, &Json::is_array);
        if (!found || found->size() != 3) return fail(name);
        for (const Json& extent : *found)
            if (!extent.is_number_unsigned() ||
                extent.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
                return fail(name);
        value = {(*found)[0].get<std::uint32_t>(), (*found)[1].get<std::uint32_t>(),
                 (*found)[2].get<std::uint32_t>()};
    }
    // If it is absent, `values` stays.
    void optional_numbers(const char* name, std::vector<std::uint32_t>& values) {
        if (!object_.is_object() || !object_.contains(name)) return;
        const Json* found = find(name, &Json::is_array);
        if (!found || found->size() > kMostExtents) return fail(name);
        for (const Json& number : *found) {
            if (!number.is_number_unsigned() ||
                number.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
                return fail(name);
            values.push_back(number.get<std::uint32_t>());
        }
    }
    // A number of either sign.
    void integer(const char* name, std::int64_t& value) {
        const Json* found = find(name, &Json::is_number_integer);
        if (!found) return;
        if (found->is_number_unsigned() &&
            found->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            return fail(name);
        value = found->get<std::int64_t>();
    }
    void real(const char* name, double& value) {
        if (const Json* found = find(name, &Json::is_number)) value = found->get<double>();
    }
    // A number that names one of the values of an enumeration.
    template <class Enum>
    void choice(const char* name, Enum& value, Enum last) {
        std::uint8_t number = 0;
        this->number(name, number);
        if (number > static_cast<std::uint8_t>(last)) return fail(name);
        value = static_cast<Enum>(number);
    }
    [[nodiscard]] bool has(const char* name) const {
        return object_.is_object() && object_.contains(name);
    }
    // Calls restore(MetaReader&) for each object of a list that may be absent.
    template <class Restore>
    void each(const char* name, Restore&& restore) {
        if (!has(name)) return;
        const Json* found = find(name, &Json::is_array);
        if (!found || found->size() > kMostEntries) return fail(name);
        for (const Json& entry : *found) {
            MetaReader reader(entry);
            restore(reader);
            if (!reader.missing().empty()) return fail(reader.missing().c_str());
        }
    }
    const Json* array(const char* name) { return find(name, &Json::is_array); }
    const Json* object(const char* name) { return find(name, &Json::is_object); }
    [[nodiscard]] const std::string& missing() const { return missing_; }

    void fail(const char* name) {
        if (missing_.empty()) missing_ = name;
    }

  private:
    const Json* find(const char* name, bool (Json::*is_kind)() const noexcept) {
        const auto found = object_.is_object() ? object_.find(name) : object_.end();
        if (!object_.is_object() || found == object_.end() || !((*found).*is_kind)()) {
            fail(name);
            return nullptr;
        }
        return &*found;
    }
    static constexpr std::size_t kMostExtents = 16;        // of one array
    static constexpr std::size_t kMostEntries = 1u << 16;  // of any other list

    const Json& object_;
    std::string missing_;
};

}  // namespace tilereel
