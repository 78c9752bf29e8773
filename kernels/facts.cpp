#include "kernels/facts.h"

#include <algorithm>
#include <utility>

#include "instrumentation/base/check.h"
#include "kernels/fact_file.h"

namespace tilereel {
namespace {

const std::vector<WrittenFact>& written_facts() {
    static const std::vector<WrittenFact> facts = [] {
        FactsReading reading = read_facts(facts_text());
        check(reading.mistakes.empty());  // a test reads the file that ships
        return std::move(reading).facts;
    }();
    return facts;
}

}  // namespace

std::vector<Fact> all_facts(int tile) {
    std::vector<Fact> facts;
    for (const WrittenFact& written : written_facts())
        if (written.except_at_tile == 0 || written.except_at_tile != tile)
            facts.push_back(fact_at_tile(written, tile));
    return facts;
}

std::vector<Fact> facts_about(std::string_view kernel, int tile) {
    std::vector<Fact> facts = all_facts(tile);
    std::erase_if(facts, [kernel](const Fact& fact) {
        return !fact.kernels.empty() &&
               std::ranges::find(fact.kernels, kernel) == fact.kernels.end();
    });
    return facts;
}

}  // namespace tilereel
