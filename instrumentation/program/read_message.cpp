#include "instrumentation/program/read_message.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "instrumentation/base/format/json_text.h"

namespace tilereel::program {
namespace {

using contract::Bound;
using Json = nlohmann::json;

struct NoSuchField {};  // thrown: the recorder does not write such a field

// Fills the fields of a message.
class FieldReader {
  public:
    explicit FieldReader(const Json& json) : json_(json) {}
    template <class T>
    void must(const char* name, T& field, const Bound& bound = {}) {
        read(json_.at(name), field, bound);
    }
    template <class T, class Otherwise>
    void may(const char* name, T& field, const Otherwise& otherwise, const Bound& bound = {}) {
        if (json_.contains(name))
            must(name, field, bound);
        else
            field = static_cast<T>(otherwise);
    }
    // Fields that are there together: the first has this name.
    template <class Part>
    void part(const char* name, std::optional<Part>& field) {
        if (json_.contains(name)) Part::visit(field.emplace(), *this);
    }

  private:
    // A whole number of T up to the bound. The library would convert any other number silently.
    template <class T>
    static void read_number(const Json& value, T& field, std::uint64_t most) {
        if (!value.is_number_unsigned()) throw NoSuchField{};
        const auto number = value.get<std::uint64_t>();
        if (number > most || number > std::numeric_limits<T>::max()) throw NoSuchField{};
        field = static_cast<T>(number);
    }
    static void read(const Json& value, std::uint32_t& field, const Bound& bound) {
        read_number(value, field, bound.most);
    }
    static void read(const Json& value, std::uint64_t& field, const Bound& bound) {
        read_number(value, field, bound.most);
    }
    static void read(const Json& value, bool& field, const Bound&) {
        std::uint32_t number = 0;
        read_number(value, number, Bound::kNone);
        field = number != 0;
    }
    static void read(const Json& value, std::string& field, const Bound& bound) {
        field = value.get<std::string>();
        if (field.size() > contract::kMostTextBytes) {
            std::size_t end = contract::kMostTextBytes;
            while ((field[end] & 0xc0) == 0x80) --end;  // within a letter of UTF-8
            field = field.substr(0, end) + "...";
        }
        if (bound.holds != nullptr && !bound.holds(field)) throw NoSuchField{};
    }
    static void read(const Json& value, contract::Numbers& field, const Bound& bound) {
        if (!value.is_array()) throw NoSuchField{};
        field.clear();
        for (const Json& each : value) {
            std::uint32_t number = 0;
            read_number(each, number, Bound::kNone);
            if (number >= bound.below ||
                (bound.ascends && !field.empty() && number <= field.back()))
                throw NoSuchField{};
            field.push_back(number);
        }
    }
    static void read(const Json& value, contract::Extents& field, const Bound&) {
        if (!value.is_array() || value.size() != field.size()) throw NoSuchField{};
        for (std::size_t i = 0; i < field.size(); ++i)
            read_number(value[i], field[i], Bound::kNone);
    }

    const Json& json_;
};

// Reads the message as the one of the kinds that it names.
template <class... Message>
bool read_any(const Json& json, std::variant<Message...>& message) {
    const std::string kind = json.at("kind");
    FieldReader fields(json);
    return ((kind == Message::kKind &&
             (Message::visit(message.template emplace<Message>(), fields), true)) ||
            ...);
}

}  // namespace

std::optional<contract::AnyMessage> read_message(std::string_view line) {
    const Json json = read_json(line);
    if (!json.is_object()) return std::nullopt;
    try {
        contract::AnyMessage message;
        if (read_any(json, message)) return message;
    } catch (const Json::exception&) {  // a field is missing or has another type
    } catch (const NoSuchField&) {
    }
    return std::nullopt;
}

}  // namespace tilereel::program
