#include "instrumentation/program/build/compile_commands.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "instrumentation/base/files/text_file.h"
#include "instrumentation/base/format/json_text.h"
#include "instrumentation/cuda/text/text_words.h"

namespace tilereel::program {
namespace {

using Json = nlohmann::json;

// Splits a command as a shell does: blanks, quotes and backslashes.
std::vector<std::string> words_of(std::string_view command) {
    std::vector<std::string> words;
    bool inside = false;
    char quote = 0;
    for (std::size_t at = 0; at < command.size(); ++at) {
        const char c = command[at];
        if (quote == 0 && is_space(c)) {
            inside = false;
            continue;
        }
        if (!std::exchange(inside, true)) words.emplace_back();
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == '\\' && quote != '\'' && at + 1 < command.size())
            words.back() += command[++at];
        else
            words.back() += c;
    }
    return words;
}

// "gnu++17" -> "c++17", and to a standard that Tilereel's headers have.
std::optional<std::string> standard_of(std::string_view name) {
    if (name.starts_with("gnu")) name.remove_prefix(3);
    if (name.starts_with("c")) name.remove_prefix(1);
    if (!name.starts_with("++")) return std::nullopt;
    name.remove_prefix(2);
    if (name == "98" || name == "03" || name == "11" || name == "0x" || name == "14" ||
        name == "1y")
        return "c++14";
    return name == "17" || name == "1z" ? "c++17" : "c++20";
}

class FlagReader {
  public:
    explicit FlagReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void read(const std::vector<std::string>& words, bool of_file = false) {
        for (std::size_t at = 0; at < words.size(); ++at) {
            const auto value = [&](std::string_view option) { return take(words, at, option); };
            if (const auto name = value("-std"))
                flags.standard = standard_of(*name);
            else if (const auto define = value("-D"))
                flags.defines.push_back(*define);
            else if (const auto long_define = value("--define-macro"))
                flags.defines.push_back(*long_define);
            else if (const auto options = value("--options-file"); options && !of_file)
                read(words_of(read_text(folder_ / *options)), true);  // of CMake for nvcc
            else
                for (const char* const option : {"-isystem", "-iquote", "--include-path", "-I"})
                    if (const auto folder = value(option)) {
                        add_folder(*folder);
                        break;
                    }
        }
    }
    FileFlags flags;

  private:
    // The value of an option: behind it, behind "=" or in the next word. Options with one dash and
    // a letter have it right behind, too.
    static std::optional<std::string> take(const std::vector<std::string>& words, std::size_t& at,
                                           std::string_view option) {
        std::string_view word = words[at];
        if (word.starts_with("--std")) word.remove_prefix(1);
        if (word == option && at + 1 < words.size()) return words[++at];
        if (!word.starts_with(option) || word == option) return std::nullopt;
        word.remove_prefix(option.size());
        if (word[0] == '=') return std::string(word.substr(1));
        const bool joined = option == "-D" || option == "-I" || option == "-isystem";
        return joined ? std::optional(std::string(word)) : std::nullopt;
    }
    void add_folder(const std::string& name) {
        const std::filesystem::path folder = (folder_ / name).lexically_normal();
        if (!name.empty() &&
            std::ranges::find(flags.include_folders, folder) == flags.include_folders.end())
            flags.include_folders.push_back(folder);
    }
    std::filesystem::path folder_;
};

std::filesystem::path real(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path result = std::filesystem::weakly_canonical(file, error);
    return error ? file : result;
}

std::optional<FileFlags> flags_in(const std::filesystem::path& database,
                                  const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(database, error)) return std::nullopt;
    const Result<std::string> text = read_source(database);
    const Json entries = text ? read_json(*text) : Json();
    if (!entries.is_array()) return std::nullopt;
    for (const Json& entry : entries) {
        if (!entry.is_object()) continue;
        const auto text_of = [&](const char* key) {
            const auto found = entry.find(key);
            return found != entry.end() && found->is_string() ? found->get<std::string>()
                                                              : std::string();
        };
        const std::filesystem::path folder = database.parent_path() / text_of("directory");
        const std::string name = text_of("file");
        if (std::filesystem::path(name).filename() != file.filename() ||
            real(folder / name) != file)
            continue;
        std::vector<std::string> words = words_of(text_of("command"));
        if (const auto list = entry.find("arguments"); list != entry.end() && list->is_array())
            for (const Json& word : *list)
                if (word.is_string()) words.push_back(word.get<std::string>());
        FlagReader reader(folder);
        reader.read(words);
        return std::move(reader.flags);
    }
    return std::nullopt;
}

}  // namespace

FileFlags flags_in_database(const std::filesystem::path& file) {
    constexpr const char* kName = "compile_commands.json";
    std::error_code nameless;  // of an empty name, which is refused later
    const std::filesystem::path full = real(std::filesystem::absolute(file, nameless));
    for (std::filesystem::path folder = full.parent_path();; folder = folder.parent_path()) {
        for (const std::filesystem::path& place : {folder / kName, folder / "build" / kName})
            if (std::optional<FileFlags> flags = flags_in(place, full)) return *std::move(flags);
        if (folder == folder.parent_path()) return {};
    }
}

void add_flags_of_database(ProgramRequest& request, bool has_standard) {
    std::vector<std::filesystem::path> files = {request.file};
    files.insert(files.end(), request.more_files.begin(), request.more_files.end());
    std::vector<std::string> defines;
    for (const std::filesystem::path& file : files) {
        const FileFlags flags = flags_in_database(file);
        request.include_folders.insert(request.include_folders.end(), flags.include_folders.begin(),
                                       flags.include_folders.end());
        defines.insert(defines.end(), flags.defines.begin(), flags.defines.end());
        if (flags.standard && !has_standard) request.standard = *flags.standard;
        has_standard = has_standard || flags.standard;
    }
    // The last definition of a macro counts: the user's.
    request.defines.insert(request.defines.begin(), defines.begin(), defines.end());
}

}  // namespace tilereel::program
