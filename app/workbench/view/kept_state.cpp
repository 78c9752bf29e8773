#include "app/workbench/view/kept_state.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "instrumentation/base/files/regular_file.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/state_folder.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostFiles = 20, kMostPrograms = 200, kMostArrays = 200;
constexpr std::uint32_t kLongestRow = 1u << 20;
constexpr std::uint64_t kSmallestWindow = 200, kLargestWindow = 16384;  // pixels
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;
constexpr std::size_t kLongestName = 4096;  // of a file, on Linux

std::string key_of(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(file, unknown);
    return (unknown ? file : whole).lexically_normal().string();
}

KeptRows rows_from(const nlohmann::json& json) {
    KeptRows rows;
    if (!json.is_object()) return rows;
    for (const auto& [array, length] : json.items())
        if (length.is_number_unsigned() && rows.size() < kMostArrays)
            if (const auto value = length.get<std::uint64_t>(); value >= 1 && value <= kLongestRow)
                rows[array] = static_cast<std::uint32_t>(value);
    return rows;
}

void read_size(const nlohmann::json& json, const char* name, int& size) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_unsigned()) return;
    if (const auto value = found->get<std::uint64_t>();
        value >= kSmallestWindow && value <= kLargestWindow)
        size = static_cast<int>(value);
}

KeptProducts products_from(const nlohmann::json& json) {
    KeptProducts products;
    if (!json.is_object()) return products;
    for (const auto& [kernel, product] : json.items())
        if (product.is_string() && products.size() < kMostArrays)
            products[kernel] = product.get<std::string>();
    return products;
}

}  // namespace

void KeptState::note_opened(const std::filesystem::path& file) {
    const std::filesystem::path whole = key_of(file);
    std::erase(recent_files, whole);
    recent_files.insert(recent_files.begin(), whole);
    if (recent_files.size() > kMostFiles) recent_files.resize(kMostFiles);
}

namespace {

template <class Of>
Of entry_of(const std::map<std::string, Of>& all, const std::filesystem::path& file) {
    const auto found = all.find(key_of(file));
    return found == all.end() ? Of{} : found->second;
}

// Keeps an entry of a program. If there are too many, those that were not opened recently go first.
template <class Of>
void keep_entry(std::map<std::string, Of>& all, const std::filesystem::path& file, const Of& entry,
                const std::vector<std::filesystem::path>& recent) {
    if (entry.empty())
        all.erase(key_of(file));
    else
        all[key_of(file)] = entry;
    for (auto at = all.begin(); at != all.end() && all.size() > kMostPrograms;)
        at = std::ranges::find(recent, std::filesystem::path(at->first)) == recent.end()
                 ? all.erase(at)
                 : std::next(at);
}

}  // namespace

KeptRows KeptState::rows_of(const std::filesystem::path& file) const {
    return entry_of(rows, file);
}
void KeptState::keep_rows(const std::filesystem::path& file, const KeptRows& of_file) {
    keep_entry(rows, file, of_file, recent_files);
}
KeptProducts KeptState::products_of(const std::filesystem::path& file) const {
    return entry_of(products, file);
}
void KeptState::keep_products(const std::filesystem::path& file, const KeptProducts& of_file) {
    keep_entry(products, file, of_file, recent_files);
}

std::filesystem::path kept_state_file() {
    const std::filesystem::path folder = state_folder();
    return folder.empty() ? folder : folder / "state.json";
}

KeptState read_kept_state(const std::filesystem::path& file) {
    KeptState state;
    const Result<std::string> text = read_regular_file(file, kMostBytes);
    if (!text) return state;
    const nlohmann::json json = read_json(*text);
    if (!json.is_object()) return state;
    if (const auto recent = json.find("recent_files"); recent != json.end() && recent->is_array())
        for (const auto& each : *recent)
            if (each.is_string() && state.recent_files.size() < kMostFiles &&
                each.get_ref<const std::string&>().size() <= kLongestName)
                state.recent_files.emplace_back(each.get<std::string>());
    if (const auto rows = json.find("rows"); rows != json.end() && rows->is_object())
        for (const auto& [program, of_program] : rows->items())
            if (KeptRows its = rows_from(of_program);
                !its.empty() && state.rows.size() < kMostPrograms)
                state.rows[program] = std::move(its);
    if (const auto products = json.find("products");
        products != json.end() && products->is_object())
        for (const auto& [program, of_program] : products->items())
            if (KeptProducts its = products_from(of_program);
                !its.empty() && state.products.size() < kMostPrograms)
                state.products[program] = std::move(its);
    if (const auto view = json.find("view"); view != json.end() && view->is_string())
        state.view = view->get<std::string>();
    read_size(json, "width", state.width);
    read_size(json, "height", state.height);
    return state;
}

Status write_kept_state(const KeptState& state, const std::filesystem::path& file) {
    if (file.empty()) return failed("There is no folder to keep the state in: set XDG_STATE_HOME");
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) return failed("The folder " + file.parent_path().string() + " cannot be made");
    nlohmann::ordered_json json;
    json["recent_files"] = nlohmann::ordered_json::array();
    for (const std::filesystem::path& recent : state.recent_files)
        json["recent_files"].push_back(recent.string());
    json["rows"] = state.rows;
    json["products"] = state.products;
    json["view"] = state.view;
    json["width"] = state.width;
    json["height"] = state.height;
    const std::string text = json_text(json, 2) + "\n";
    return replace_file(file, std::as_bytes(std::span(text)));
}

}  // namespace tilereel
