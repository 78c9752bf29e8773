#pragma once
// The fields of each command, for writing and reading: fields_of(command, visit) calls visit(name,
// member) for each. Private to command_text.cpp.
#include <type_traits>

#include "app/subject/program_launch.h"
#include "app/subject/rung_launch.h"
#include "app/workbench/command.h"

namespace tilereel {

template <class Type, class Visit>
requires std::is_empty_v<Type>
void fields_of(Type&, Visit&&) {}

// play
void fields_of(SeekTo& c, auto&& visit) { visit("tick", c.tick), visit("scrubbing", c.scrubbing); }
void fields_of(SeekBoth& c, auto&& visit) {
    visit("tick", c.tick), visit("scrubbing", c.scrubbing);
}
void fields_of(SetUnit& c, auto&& visit) { visit("unit", c.unit); }
void fields_of(SetSpeed& c, auto&& visit) { visit("factor", c.factor); }
void fields_of(ChangeSpeed& c, auto&& visit) { visit("steps", c.steps); }

// launch
void fields_of(WatchBlock& c, auto&& visit) { visit("x", c.x), visit("y", c.y); }
void fields_of(SetKernel& c, auto&& visit) { visit("id", c.id); }
void fields_of(SetParameters& c, auto&& visit) { visit("parameters", c.parameters); }
void fields_of(WatchKernel& c, auto&& visit) {
    visit("id", c.id), visit("parameters", c.parameters);
}
void fields_of(TakeSuggestion& c, auto&& visit) { visit("number", c.number); }
void fields_of(SetGeneration& c, auto&& visit) { visit("id", c.id); }
void fields_of(SetRecorder& c, auto&& visit) { visit("recorder", c.recorder); }
void fields_of(RemoveBarrier& c, auto&& visit) { visit("line", c.line); }
void fields_of(SetThreadOrder& c, auto&& visit) { visit("order", c.order); }
void fields_of(Compare& c, auto&& visit) { visit("left", c.left), visit("right", c.right); }

void fields_of(OpenTrace& c, auto&& visit) { visit("file", c.file); }

// program
void fields_of(OpenProgram& c, auto&& visit) {
    program::ProgramRequest& request = c.request;
    Subject subject;
    if (!request.file.empty()) {
        subject = subject_of(request, 0);
        subject.generation = request.generation;
    }
    const Subject written = subject;
    visit("program", subject);
    if (subject != written) request = program_request(subject);  // it was read
    visit("on_gpu", request.on_gpu);
    if (request.on_gpu) request.in_sandbox = false;
    visit("launch", request.launch);
    visit("blocks", request.blocks);
    visit("all_blocks", request.all_blocks);
    visit("seconds", request.limits.seconds);
    visit("accesses", request.limits.accesses_a_launch);
    visit("sample", request.limits.accesses_of_sample);
    visit("products", c.products);
}
void fields_of(RunProgramAgain& c, auto&& visit) {
    visit("saved", c.saved), visit("all_blocks", c.all_blocks);
}
void fields_of(ChooseLaunch& c, auto&& visit) { visit("launch", c.launch); }
void fields_of(NameProduct& c, auto&& visit) { visit("product", c.product); }

// view
void fields_of(SetTheme& c, auto&& visit) { visit("light", c.light); }
void fields_of(SetTextSize& c, auto&& visit) { visit("px", c.px); }
void fields_of(ChangeTextSize& c, auto&& visit) { visit("steps", c.steps); }
void fields_of(SetMotion& c, auto&& visit) { visit("moves", c.moves); }
void fields_of(ShowHeat& c, auto&& visit) { visit("heat", c.heat); }
void fields_of(SetLineFigure& c, auto&& visit) { visit("figure", c.figure); }
void fields_of(SelectTab& c, auto&& visit) { visit("tab", c.tab); }
void fields_of(SetMode& c, auto&& visit) { visit("page", c.mode); }
void fields_of(SetTimeSize& c, auto&& visit) { visit("size", c.size); }
void fields_of(UseTool& c, auto&& visit) { visit("tool", c.tool); }
void fields_of(DrawCurtain& c, auto&& visit) { visit("curtain", c.curtain); }

// picture
void fields_of(ChooseWarp& c, auto&& visit) { visit("warp", c.warp); }
void fields_of(ChooseLane& c, auto&& visit) { visit("lane", c.lane); }
void fields_of(NextWarp& c, auto&& visit) { visit("by", c.by); }
void fields_of(NextLane& c, auto&& visit) { visit("by", c.by); }
void fields_of(SetZoom& c, auto&& visit) {
    visit("zoom", c.zoom.zoom), visit("whole", c.zoom.whole), visit("follows", c.zoom.follows);
    visit("pan", c.zoom.pan), visit("shared_zoom", c.zoom.shared_zoom);
    visit("shared_pan", c.zoom.shared_pan);
}
void fields_of(NameElements& c, auto&& visit) { visit("named", c.named); }
void fields_of(ShowAsArrays& c, auto&& visit) { visit("separate", c.separate); }
void fields_of(ShowTensorPicture& c, auto&& visit) { visit("shown", c.shown); }
void fields_of(ChooseTensorProduct& c, auto&& visit) { visit("product", c.product); }
void fields_of(EnlargeFragment& c, auto&& visit) { visit("fragment", c.fragment); }

// learn
void fields_of(OpenLesson& c, auto&& visit) { visit("file", c.file), visit("scene", c.scene); }
void fields_of(StepLesson& c, auto&& visit) { visit("direction", c.direction); }
void fields_of(GoToLessonScene& c, auto&& visit) { visit("scene", c.scene); }
void fields_of(ChooseInQuiz& c, auto&& visit) { visit("choice", c.choice); }
void fields_of(OpenExercise& c, auto&& visit) { visit("file", c.file), visit("copy", c.copy); }
void fields_of(OpenAdvice& c, auto&& visit) { visit("check", c.check); }
void fields_of(ShowCheck& c, auto&& visit) { visit("check", c.check); }
void fields_of(AskPattern& c, auto&& visit) { visit("question", c.question); }

// race
void fields_of(ChooseContenders& c, auto&& visit) { visit("contenders", c.contenders); }
void fields_of(ToggleContender& c, auto&& visit) { visit("contender", c.contender); }
void fields_of(ToggleSize& c, auto&& visit) { visit("size", c.size); }
void fields_of(SetOwnCall& c, auto&& visit) { visit("call", c.call); }
void fields_of(SetOwnValues& c, auto&& visit) { visit("values", c.values); }
void fields_of(SetRepeats& c, auto&& visit) { visit("repeats", c.repeats); }
void fields_of(SetCaches& c, auto&& visit) { visit("caches", c.caches); }
void fields_of(StartSweep& c, auto&& visit) { visit("kernel", c.kernel); }
void fields_of(ToggleLine& c, auto&& visit) { visit("contender", c.contender); }
void fields_of(HighlightLine& c, auto&& visit) { visit("contender", c.contender); }
void fields_of(SoloLine& c, auto&& visit) { visit("contender", c.contender); }
void fields_of(ChooseLines& c, auto&& visit) { visit("choice", c.choice); }
void fields_of(SelectPoint& c, auto&& visit) {
    visit("contender", c.contender), visit("size", c.size);
}
void fields_of(SelectSize& c, auto&& visit) { visit("size", c.size); }
void fields_of(SetLogarithmic& c, auto&& visit) {
    visit("of_sizes", c.of_sizes), visit("on", c.on);
}
void fields_of(ShowRacePlot& c, auto&& visit) { visit("plot", c.plot); }
void fields_of(ShowRaceSide& c, auto&& visit) { visit("side", c.side); }
void fields_of(ShowRaceTab& c, auto&& visit) { visit("tab", c.tab); }
void fields_of(SetIntensity& c, auto&& visit) { visit("recorded", c.recorded); }
void fields_of(OpenRace& c, auto&& visit) { visit("path", c.path); }
void fields_of(CompareRace& c, auto&& visit) { visit("path", c.path); }
void fields_of(SaveRace& c, auto&& visit) { visit("what", c.what), visit("path", c.path); }
// Whether it was saved is not in the text.
void fields_of(PictureSaved& c, auto&& visit) { visit("path", c.path); }
void fields_of(RacePair& c, auto&& visit) {
    visit("kernel", c.kernel), visit("parameters", c.parameters);
}

// window
void fields_of(OpenFile& c, auto&& visit) {
    visit("file", c.file), visit("to_compare", c.to_compare);
}
void fields_of(SavePicture& c, auto&& visit) { visit("file", c.file); }
void fields_of(OpenInEditor& c, auto&& visit) { visit("file", c.file), visit("line", c.line); }
// The text is not in a log.
void fields_of(SaveSource& c, auto&& visit) { visit("file", c.file); }
void fields_of(NewProgram& c, auto&& visit) {
    visit("file", c.file), visit("kernel", c.kernel), visit("parameters", c.parameters);
}
void fields_of(SaveRacePicture& c, auto&& visit) { visit("file", c.file); }

}  // namespace tilereel
