// The list of files to open, drawn as a card over the window.
#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/panels/overlay/overlay.h"
#include "app/panels/panel_memory.h"
#include "app/panels/paragraph.h"
#include "app/subject/file_kind.h"
#include "app/subject/program_launch.h"
#include "app/ui/draw/wrap_text.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/workbench/comparison.h"
#include "app/workbench/view/side_text.h"

namespace tilereel {
namespace {

constexpr const char* kField = "files.field";

class FilesCard {
  public:
    FilesCard(const Look& look, const Rect& screen, FileList& files)
        : look_(look), screen_(screen), files_(files) {
        px_ = type_px(look, 15);
        pad_ = look.px(20);
        row_ = std::round(2.0f * px_);
        const float width = std::min(look.px(860) * std::sqrt(look.text), screen.w - look.px(32));
        const float height = std::min(look.px(720) * std::sqrt(look.text), screen.h - look.px(32));
        card_ = centered_card(screen, width, height);
    }

    // Returns true when the list must be closed.
    bool draw() {
        begin_card(look_, "files", screen_, card_, true);
        const float top = draw_head();
        bool done = take_keys();
        const float foot = std::round(2.2f * px_) + pad_;
        draw_rows({card_.x, top, card_.w, card_.bottom() - foot - top});
        done |= draw_foot({card_.x + pad_, card_.bottom() - foot, card_.w - 2 * pad_, foot});
        done |= end_card(look_, "files.close", card_);
        return done || files_.taken.has_value();
    }

  private:
    bool take_keys() {
        for (const KeyPress& press : claimed_keys(kField))
            if (files_.take(press)) return true;
        return false;
    }

    // Draws title and text field. Returns the y position of the first row.
    float draw_head() {
        const Palette& colors = look_.colors();
        float y = card_.y + pad_ + 0.7f * px_;
        draw_text({card_.x + pad_, y}, "Open a CUDA program or a trace",
                  {Face::kBold, 1.3f * px_, colors.ink});
        y += 1.2f * px_ + 0.4f * pad_;
        const Rect field{card_.x + pad_, std::round(y), card_.w - 2 * pad_, row_ + look_.tight()};
        register_widget(kField, field);
        draw_box(field, colors.raised, colors.accent, look_.frame(), look_.corner());
        const Rect inner = field.inset(look_.px(9));
        if (files_.field().text().empty())
            draw_text_fit({inner.x + look_.snug(), field.center().y}, inner.w - look_.snug(),
                          "Type a part of a name, or a path", {Face::kRegular, px_, colors.ink3});
        files_.edit(kField, inner, {Face::kMono, px_, colors.ink});
        return field.bottom() + 0.4f * pad_;
    }

    void draw_rows(const Rect& area) {
        const float length = row_ * static_cast<float>(files_.rows().size());
        if (files_.show_chosen) {
            const float top = row_ * static_cast<float>(files_.chosen());
            files_.scroll =
                std::clamp(files_.scroll, top + row_ - area.h, std::max(top - row_, 0.0f));
            files_.show_chosen = false;
        }
        const ScrollArea rows(look_, area, length, files_.scroll);
        for (std::size_t i = 0; i < files_.rows().size(); ++i) {
            const float y = rows.top() + row_ * static_cast<float>(i);
            if (!rows.shows(y, row_) ||
                !draw_row({area.x + look_.gap(), y, area.w - look_.pad(), row_}, i))
                continue;
            files_.enter(i);
            break;  // enter() may have replaced the rows
        }
    }

    // Returns true when it was clicked.
    bool draw_row(const Rect& rect, std::size_t index) {
        const Palette& colors = look_.colors();
        const FileRow& row = files_.rows()[index];
        const float left = rect.x + look_.wide(), y = rect.center().y, small = 0.87f * px_;
        const float room = rect.w - look_.margin();
        if (row.kind == FileRow::Kind::kHeading) {
            const TextStyle style{Face::kRegular, small, colors.ink3};
            draw_text({left, y + 0.2f * px_}, row.title, shrunk(style, row.title, room));
            return false;
        }
        const Interaction touch =
            interact(look_, "files." + std::to_string(index), rect, row.path.string());
        const bool chosen = index == files_.chosen();
        draw_row_mark(look_, rect, chosen, touch.hovered);
        const bool folder = row.kind == FileRow::Kind::kFolder;
        const float w = look_.pad() + draw_text_fit({left, y}, room, row.title,
                                                    {folder ? Face::kMono : Face::kMonoBold, px_,
                                                     folder ? colors.ink2 : colors.ink});
        draw_text_fit({left + w, y}, room - w, row.detail, {Face::kRegular, small, colors.ink3});
        return touch.clicked;
    }

    bool draw_foot(const Rect& rect) {
        const Palette& colors = look_.colors();
        ButtonRow row(look_, {rect.x, std::round(rect.center().y - row_ / 2), rect.w, row_});
        const bool opened = row.from_right("files.open", "Open (Enter)", true, "") &&
                            files_.take({.key = Key::kEnter});
        const bool cancelled = row.from_right("files.cancel", "Cancel (Esc)", false, "");
        const bool problem = !files_.problem().empty();
        const bool typed = !files_.field().text().empty();
        const std::string words =
            problem ? files_.problem()
                    : std::string(typed ? "Tab completes a path" : "Backspace: the folder above");
        const TextStyle style{Face::kRegular, 0.93f * px_, problem ? colors.ink : colors.ink3};
        const auto lines = wrap_text(words, row.room().w, style.face, style.px);
        const float leading = 1.2f * style.px, more = static_cast<float>(lines.size()) - 1;
        draw_lines({rect.x, row.room().center().y - leading * more / 2}, lines, style, leading);
        return cancelled || opened;
    }

    const Look& look_;
    Rect screen_, card_;
    FileList& files_;
    float px_ = 15, pad_ = 20, row_ = 30;
};

// The commands that show what was typed in place of a file.
Result<Commands> commands_to_show(const std::string& words) {
    const Subject subject = TRY(
        parse_subject(find_kernel(words) != nullptr ? text_of(Subject{.kernel = words}) : words));
    Commands commands;
    if (is_rung(subject)) {
        commands.push_back(WatchKernel{subject.kernel, parameters_of(subject)});
    } else if (const Result<FileKind> kind =
                   kind_of_file(subject.file, "a subject", {FileKind::kProgram, FileKind::kTrace});
               !kind) {
        return kind.error();
    } else if (*kind == FileKind::kTrace) {
        commands.push_back(OpenFile{subject.file});
    } else {
        commands.push_back(OpenProgram{program_request(subject), {}});
    }
    if (!subject.generation.empty()) commands.push_back(SetGeneration{subject.generation});
    return commands;
}

// Likewise beside the watched launch.
Result<Commands> commands_to_compare(const std::string& words, const Workbench& workbench) {
    Subject own = side_of(workbench);
    if (!is_rung(own)) own = shown_subject(workbench).value_or(own);
    own.generation = workbench.generation().id;
    const Subject side = TRY(side_of_text(words, own));
    TRY(check_compared_file(side));
    return Commands{Compare{{}, side}};
}

// The command that opens the chosen file, or why it cannot be opened.
Result<Commands> commands_to_open(const std::filesystem::path& file, bool to_compare) {
    TRY(kind_of_file(file));
    return Commands{OpenFile{file, to_compare}};
}

}  // namespace

Commands draw_files(const Look& look, const Rect& screen, const Workbench& workbench,
                    PanelMemory& memory) {
    FilesMemory& files = memory.parts().files;
    if (!files.list) return {};
    const bool done = FilesCard(look, screen, *files.list).draw();
    Result<Commands> asked = Commands{};
    if (const auto& words = files.list->taken_words)
        asked =
            files.to_compare ? commands_to_compare(*words, workbench) : commands_to_show(*words);
    else if (const auto& file = files.list->taken)
        asked = commands_to_open(*file, files.to_compare);
    if (!asked) {  // the list stays: else what is typed next would act as keys of the window
        files.list->refuse(as_sentence(asked.error().message));
        return {};
    }
    if (done) files.list.reset();
    return *std::move(asked);
}

}  // namespace tilereel
