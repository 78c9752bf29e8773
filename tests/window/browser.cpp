#include "tests/window/browser.h"

#include <fstream>
#include <sstream>

#include "tests/window/watched_process.h"

namespace tilereel {
namespace {

// Collects errors from the first line of the page on. The page's time is a clock of its own, on
// which nothing takes time: timers and frames come in their order, each at its moment, however busy
// the machine is. An animation without an end stops after kMostMoments.
constexpr const char* kBefore = R"(<script>
const errors = [];
addEventListener('error', (event) => errors.push(event.message));
{
  const kMostMoments = 5000, timers = [], channel = new MessageChannel();
  let now = 0, moments = 0;
  const wake = () => channel.port2.postMessage(0);
  performance.now = () => now;
  window.setTimeout = (call, after = 0) => { if (timers.push({ at: now + after, call }) === 1) wake(); };
  window.requestAnimationFrame = (frame) => window.setTimeout(() => frame(now), 16);
  channel.port1.onmessage = () => {
    if (++moments > kMostMoments) return;
    const at = Math.min(...timers.map((timer) => timer.at));
    const [first] = timers.splice(timers.findIndex((timer) => timer.at === at), 1);
    now = at;
    if (timers.length > 0) wake();
    first.call();
  };
}
const report = (value) => {
  const text = JSON.stringify({ value, errors }).replace(/[<>&]/g, (c) => '\\u00' + c.charCodeAt(0).toString(16));
  const made = document.createElement('pre');
  made.id = 'report';
  made.textContent = '[report[' + text + ']report]';
  document.body.append(made);
};
</script>
)";

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

std::string installed_browser() {
    for (const char* const name :
         {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"})
        if (is_installed(name)) return name;
    return {};
}

std::optional<nlohmann::json> run_in_page(const std::filesystem::path& page,
                                          const std::string& script, const std::string& window) {
    std::string text = text_of(page);
    text.insert(text.find("<head>") + 6, kBefore);
    text.insert(text.rfind("</html>"), "<script>" + script + "</script>");
    const std::filesystem::path with_script = page.parent_path() / "with_script.html";
    std::ofstream(with_script) << text;
    const auto printed = output_of(  // Its warnings about D-Bus and the GPU are dropped.
        {"sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null", installed_browser(), "--headless",
         "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--dump-dom",
         "--virtual-time-budget=3000", "--window-size=" + window,
         "--user-data-dir=" + (page.parent_path() / "profile").string(),
         "file://" + with_script.string()});
    if (!printed) return std::nullopt;
    const std::string begin = "[report[", end = "]report]";
    const std::size_t from = printed->rfind(begin), to = printed->rfind(end);
    if (from == std::string::npos || to == std::string::npos) return std::nullopt;
    const auto report = nlohmann::json::parse(
        printed->substr(from + begin.size(), to - from - begin.size()), nullptr, false);
    return report.is_discarded() ? std::nullopt : std::optional(report);
}

}  // namespace tilereel
