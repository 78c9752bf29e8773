#include "tests/replay/sentence/sentence_parser.h"

#include <algorithm>
#include <regex>

namespace tilereel {
namespace {

const std::string kNumber = "([\\d,]+)";
const std::string kLanes = "([\\d,]+ lanes?|all [\\d,]+ lanes|both lanes|its one active lane)";

// A template of the sentence's second half, with the names of its groups.
struct Form {
    Form(std::string the_name, const std::string& text, std::vector<std::string> the_groups)
        : name(std::move(the_name)), pattern(text), groups(std::move(the_groups)) {}
    std::string name;
    std::regex pattern;
    std::vector<std::string> groups;
};

const std::vector<Form>& forms() {
    static const std::vector<Form> all = {
        {"same element",
         ": " + kLanes + " (?:ask|write) (?:for )?the same element, so " + kNumber +
             " sectors? of 32 bytes serves? them all",
         {"lanes", "sectors"}},
        {"shared elements",
         ": " + kLanes + " (?:ask for|write) " + kNumber + " different elements?, so " + kNumber +
             " sectors? of 32 bytes serves? them all",
         {"lanes", "elements", "sectors"}},
        {"coalescing",
         ": " + kLanes + " (?:asks? for|writes?) " + kNumber + " bytes? in " + kNumber +
             " rows?(?: of the matrix)?, so " + kNumber + " sectors? moves? " + kNumber +
             " bytes? and ([a-z0-9, ]+) of them (go unused|are used)",
         {"lanes", "bytes", "rows", "sectors", "moved", "share", "used"}},
        {"coalescing, short",
         ", " + kNumber + " bytes? in " + kNumber + " sectors?",
         {"bytes", "sectors"}},
        {"store",
         "[:,] " + kLanes + " to " + kNumber + " banks? in " + kNumber + " wavefronts?",
         {"lanes", "banks", "wavefronts"}},
        {"broadcast",
         ": " + kLanes +
             " read the same word (\\w+\\[\\d+\\]\\[\\d+\\]), so (one) wavefront "
             "serves them all",
         {"lanes", "word", "wavefronts"}},
        {"broadcast, short",
         ", the same word (\\w+\\[\\d+\\]\\[\\d+\\]) for " + kLanes + " in " + kNumber +
             " wavefronts?",
         {"word", "lanes", "wavefronts"}},
        {"own words",
         ": " + kLanes +
             " (?:reads?|writes?) (one|[\\d,]+)(?: different words| word) (?:from|to) " + kNumber +
             " banks? in " + kNumber + " wavefronts?",
         {"lanes", "words", "banks", "wavefronts"}},
        {"shared words",
         ": " + kLanes + " (?:read|write) " + kNumber + " different words? in " + kNumber +
             " banks?, so (one) wavefront serves them all",
         {"lanes", "words", "banks", "wavefronts"}},
        {"words, short",
         ", (one|[\\d,]+)(?: different words| word) for " + kLanes + " in " + kNumber +
             " wavefronts?",
         {"words", "lanes", "wavefronts"}},
        {"conflict, one bank",
         ": " + kLanes + " want " + kNumber +
             " different words of bank (\\d+), so the "
             "(?:read|store) takes " +
             kNumber + " wavefronts instead of " + kNumber,
         {"lanes", "words", "bank", "wavefronts", "ideal"}},
        {"conflict, many banks",
         ": " + kLanes + " want " + kNumber + " different words, " + kNumber +
             " of them in bank (\\d+), so the (?:read|store) takes " + kNumber +
             " wavefronts instead of " + kNumber,
         {"lanes", "words", "in_bank", "bank", "wavefronts", "ideal"}},
        {"conflict, short",
         ": " + kNumber + " words of bank (\\d+), in " + kNumber + " wavefronts instead of " +
             kNumber,
         {"in_bank", "bank", "wavefronts", "ideal"}},
    };
    return all;
}

std::optional<ParsedRange> parse_range(const std::string& text) {
    static const std::regex pattern("(\\d[\\d,]*)(?: (to|and) (\\d[\\d,]*))?");
    std::smatch match;
    if (!std::regex_match(text, match, pattern)) return std::nullopt;
    const int first = parse_number(match[1]);
    const int last = match[3].matched ? parse_number(match[3]) : first;
    return ParsedRange{first, last, match[2] == "and" ? 2 : last - first + 1};
}

// Takes "; 28 lanes skip line 12, 4 have returned" off the end. Returns the number of lanes.
int take_off_lanes(std::string& text) {
    static const std::string reason =
        "(?:skips? line \\d+|makes? another \\w+ of line \\d+|ha(?:s|ve) left the loop|ha(?:s|ve) "
        "returned|"
        "(?:is|are) off)";
    static const std::regex pattern("; (\\d+) lanes? " + reason + "((?:, \\d+ " + reason +
                                    ")*)\\.");
    static const std::regex more(", (\\d+) ");
    std::smatch match;
    if (!std::regex_search(text, match, pattern)) return 0;
    int lanes = parse_number(match[1]);
    const std::string others = match[2];
    for (std::sregex_iterator each(others.begin(), others.end(), more), end; each != end; ++each)
        lanes += parse_number((*each)[1]);
    text = match.prefix().str() + ".";
    return lanes;
}

// "Warps 0 to 2 have done their multiply-adds and wait at the barrier"
bool parse_waiting(const std::string& text, ParsedSentence& result) {
    static const std::regex pattern(
        "(?:Warps? ([\\d, a-z]+?)|([\\d,]+) warps) (?:(?:has|have) (.*) and )?waits? at the "
        "barrier");
    std::smatch match;
    if (!std::regex_match(text, match, pattern)) return false;
    result.waiting_did = match[3];
    result.waiting.emplace();
    if (match[2].matched) {
        result.waiting_count = parse_number(match[2]);
        return true;
    }
    const std::optional<ParsedRange> range = parse_range(match[1]);
    if (!range) return false;
    const bool pair = match[1].str().find(" and ") != std::string::npos;
    for (int warp = range->first; warp <= range->last;
         warp += pair ? range->last - range->first : 1)
        result.waiting->push_back(warp);
    return true;
}

// Parses the beginning, such as "Warp 3 reads column 5 of Bs". Returns the rest.
std::optional<std::string> parse_place(const std::string& text, ParsedSentence& result) {
    static const std::regex pattern(
        "[Ww]arp (\\d+) (?:still )?(loads|reads|stores its sums in|stores) "
        "(?:(all of |its tile of )|(?:([\\d,]+) elements in )?"
        "(?:(?:(\\d+) of )?(rows?|columns?) ([\\d, a-z]+?)"
        "(?:, (?:(\\d+) of )?(rows?|columns?) ([\\d, a-z]+?))? of ))?"
        "([A-Z]\\w*)(?:\\[(\\d+)\\]\\[(\\d+)\\])?([:,].*)\\.");
    std::smatch match;
    if (!std::regex_match(text, match, pattern)) return std::nullopt;
    result.warp = parse_number(match[1]);
    result.verb = match[2];
    result.all = match[3].str() == "all of ";
    result.its_tile = match[3].str() == "its tile of ";
    if (match[4].matched) result.elements = parse_number(match[4]);
    for (const std::size_t group : {std::size_t{5}, std::size_t{8}}) {
        if (!match[group + 1].matched) continue;
        std::optional<ParsedRange> range = parse_range(match[group + 2]);
        if (range && match[group].matched) range->count = parse_number(match[group]);
        (match[group + 1].str().starts_with("row") ? result.rows : result.columns) = range;
    }
    result.array = match[11];
    if (match[12].matched) {
        result.rows = parse_range(match[12]);
        result.columns = parse_range(match[13]);
    }
    return match[14];
}

}  // namespace

int ParsedSentence::number(const std::string& part) const {
    const std::string& text = parts.at(part);
    if (text == "both lanes") return 2;
    if (text == "its one active lane") return 1;
    return parse_number(text);
}

int parse_number(std::string text) {
    if (text == "one") return 1;
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    return std::stoi(text);
}

double parse_share(const std::string& text) {
    static const std::map<std::string, double> shares = {
        {"half", 1 / 2.0},          {"a third", 1 / 3.0},        {"two thirds", 2 / 3.0},
        {"a quarter", 1 / 4.0},     {"three quarters", 3 / 4.0}, {"an eighth", 1 / 8.0},
        {"three eighths", 3 / 8.0}, {"five eighths", 5 / 8.0},   {"seven eighths", 7 / 8.0}};
    const auto found = shares.find(text);
    return found == shares.end() ? 0.0 : found->second;
}

bool counts_agree(const std::string& text) {
    const std::string nouns =
        "(?:different )?(?:lane|byte|row|sector|bank|wavefront|word|tick|"
        "phase|element)";
    static const std::regex one_with_plural("\\b1 " + nouns + "s\\b");
    static const std::regex many_with_singular("\\b(?:[02-9]|[\\d,]+\\d) " + nouns + "\\b");
    return !std::regex_search(text, one_with_plural) &&
           !std::regex_search(text, many_with_singular);
}

std::optional<ParsedSentence> parse_sentence(const std::string& text) {
    ParsedSentence result;
    std::string clause = text;
    result.off = take_off_lanes(clause);
    if (const std::size_t cut = clause.find("; "); cut != std::string::npos) {
        if (!parse_waiting(clause.substr(0, cut), result)) return std::nullopt;
        clause = clause.substr(cut + 2);
    }
    const std::optional<std::string> rest = parse_place(clause, result);
    if (!rest) return std::nullopt;
    for (const Form& form : forms()) {
        std::smatch match;
        if (!std::regex_match(*rest, match, form.pattern)) continue;
        result.form = form.name;
        for (std::size_t i = 0; i < form.groups.size(); ++i)
            result.parts[form.groups[i]] = match[i + 1];
        return result;
    }
    return std::nullopt;
}

}  // namespace tilereel
