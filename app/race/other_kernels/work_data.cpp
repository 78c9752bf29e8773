#include "app/race/other_kernels/work_data.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace tilereel {
namespace {

constexpr std::string_view kMagic = "tilereel work 1\n";

class Writer {
  public:
    void put(std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void put(std::uint64_t number) { put(std::as_bytes(std::span(&number, 1))); }
    void put_block(std::span<const std::byte> bytes) {
        put(bytes.size());
        put(bytes);
    }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

// Each take fails if the bytes end early.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
    bool take(std::uint64_t count, std::span<const std::byte>& taken) {
        if (count > rest_.size()) return false;
        taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return true;
    }
    bool take(std::uint64_t& number) {
        std::span<const std::byte> bytes;
        if (!take(sizeof number, bytes)) return false;
        std::memcpy(&number, bytes.data(), sizeof number);
        return true;
    }
    bool take_block(std::span<const std::byte>& taken) {
        std::uint64_t count = 0;
        return take(count) && take(count, taken);
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

  private:
    std::span<const std::byte> rest_;
};

bool take_all(Reader& reader, std::size_t arrays, WorkData& data) {
    data.inputs.resize(arrays);
    for (auto& input : data.inputs)
        if (!reader.take_block(input)) return false;
    std::uint64_t cases = 0;
    if (!reader.take(cases)) return false;
    for (; cases > 0; --cases) {
        WorkCase one;
        std::uint64_t n = 0, variant = 0;
        if (!reader.take(n) || !reader.take(variant) || variant >= kVariants || n == 0 ||
            n > std::uint64_t{kLargestCount})
            return false;
        one.n = static_cast<std::int64_t>(n);
        one.variant = static_cast<int>(variant);
        one.expected.resize(arrays);
        for (auto& expected : one.expected)
            if (!reader.take_block(expected)) return false;
        data.cases.push_back(std::move(one));
    }
    return reader.at_end();
}

}  // namespace

const WorkCase* WorkData::find(std::int64_t n, int variant) const {
    const auto found = std::ranges::find_if(
        cases, [&](const WorkCase& each) { return each.n == n && each.variant == variant; });
    return found == cases.end() ? nullptr : &*found;
}

std::uint64_t first_element(const std::vector<OwnArray>& arrays, std::size_t array,
                            std::uint64_t recorded_elements, int variant) {
    if (variant == 0 || recorded_elements == 0) return 0;
    const auto is_real = [](const OwnArray& each) {
        return each.read && each.type != OwnType::kExact;
    };
    if (!is_real(arrays[array]) && std::ranges::any_of(arrays, is_real)) return 0;
    // Arrays differ in where they begin, so that a sum of two is no repetition either.
    const std::uint64_t part = recorded_elements / kVariants * static_cast<std::uint64_t>(variant);
    return (part + (array + 1) * static_cast<std::uint64_t>(variant)) % recorded_elements;
}

std::vector<std::byte> bytes_of(const WorkData& data) {
    Writer writer;
    writer.put(std::as_bytes(std::span(kMagic)));
    for (const auto& input : data.inputs) writer.put_block(input);
    writer.put(data.cases.size());
    for (const WorkCase& each : data.cases) {
        writer.put(static_cast<std::uint64_t>(each.n));
        writer.put(static_cast<std::uint64_t>(each.variant));
        for (const auto& expected : each.expected) writer.put_block(expected);
    }
    return writer.take();
}

Result<WorkData> work_data_of(std::span<const std::byte> bytes, std::size_t arrays) {
    const auto magic = std::as_bytes(std::span(kMagic));
    Reader reader(bytes);
    std::span<const std::byte> begin;
    WorkData data;
    if (!reader.take(magic.size(), begin) || !std::ranges::equal(begin, magic) ||
        !take_all(reader, arrays, data))
        return failed("its inputs are damaged; compile it again");
    return data;
}

}  // namespace tilereel
