// The position of the replay, and the controls that change it.
const kTickSeconds = 0.16;  // at x1
const kSpeeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const kLongest = 90;  // seconds; the first speed is chosen so that the whole replay takes no longer
const position = { tick: 0, step: -1, wavefront: -1, playing: false, speed: 1, last: 0 };

let afterStep = null;  // called after the step has changed

// Updates everything that depends on the step or the wavefront.
function show() {
  const tick = Math.floor(position.tick), step = stepAt(tick), wavefront = step < stepCount ? wavefrontAt(step, tick) : 0;
  const before = position.step, moved = step !== before, changed = moved || wavefront !== position.wavefront;
  position.step = step;
  position.wavefront = wavefront;
  byId('tick').textContent = 'tick ' + withCommas(Math.min(tick + 1, lastTick)) + ' of ' + withCommas(lastTick);
  byId('timeline').setAttribute('aria-valuenow', Math.min(tick + 1, lastTick));
  byId('timeline').setAttribute('aria-valuemax', lastTick);
  if (moved) {
    cells.goTo(step);
    showSentence(step);
    showRequest(step);
    showSource(step);
    showPhase(step);
    showWarps(step);
    showCounters(step);
  }
  if (changed) {
    showBanks(step, wavefront);
    showFragments(step, wavefront);
    for (const figure of figures) {
      if (moved) figure.follow(step);
      if (looksOther(figure, before, step)) paintFigure(figure, step, wavefront);
    }
    cells.changed.clear();
  }
  paintTimeline(position.tick);
  paintFlights();
  if (moved && afterStep) afterStep(step);
}

function showAll() {
  const step = stepAt(Math.floor(position.tick));
  readColours();
  reserveSentence();
  paintLegend();
  showPhase(step);
  showWarps(step);
  layOut();
  position.step = position.wavefront = -1;
  show();
}

// `forward`: a step on, which opens a barrier that it passes.
function seek(tick, forward) {
  const from = position.tick;
  position.tick = clamp(tick, 0, lastTick);
  if (forward) openBarrierBetween(from, position.tick); else closeBarrier();
  landing = null;
  byId('card').hidden = true;
  show();
}

function stop() {
  position.playing = false;
  byId('play').textContent = '\u25b6';
  byId('play').setAttribute('aria-label', 'Play');
}

function play() {
  if (position.tick >= lastTick) position.tick = 0;
  position.playing = true;
  position.last = performance.now();
  byId('play').textContent = '\u275a\u275a';
  byId('play').setAttribute('aria-label', 'Stop');
  const frame = (now) => {
    if (!position.playing) return;
    const from = position.tick;
    position.tick = Math.min(position.tick + Math.max(now - position.last, 0) / 1000 / kTickSeconds * position.speed, lastTick);
    position.last = now;
    openBarrierBetween(from, position.tick);
    if (position.tick >= lastTick) stop();
    show();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const playOrStop = () => { if (position.playing) { stop(); seek(Math.floor(position.tick)); } else play(); };

// Goes to the beginning of the next or previous request. Backwards from within a request it goes to
// the beginning of that request.
function stepBy(direction) {
  stop();
  const tick = Math.floor(position.tick), step = stepAt(tick);
  if (direction > 0) {
    seek(step >= stepCount ? lastTick : steps.begin[step + 1], true);
    return land(position.tick);
  }
  if (step < stepCount && tick > steps.begin[step]) return seek(steps.begin[step]);
  seek(steps.begin[Math.max(step - 1, 0)]);
}

// Goes to the next or previous of these ticks, which are ascending.
function goToStop(ticks, direction, otherwise) {
  stop();
  const tick = Math.floor(position.tick);
  const found = direction > 0 ? ticks.find((stop) => stop > tick) : ticks.filter((stop) => stop < tick).pop();
  seek(found === undefined ? otherwise : found, direction > 0);
}

const partBy = (direction) => goToStop(data.timeline.stops, direction, direction > 0 ? lastTick : 0);
let conflictTicks = [];
function findConflicts() {
  conflictTicks = steps.begin.filter((_, step) => step < stepCount && costOf(step).conflicts > 0);
  byId('conflict').hidden = variants.length === 1 && conflictTicks.length === 0;
  byId('conflict').disabled = conflictTicks.length === 0;
}
const conflictBy = (direction) => goToStop(conflictTicks, direction, position.tick);

function changeTheme() {
  const light = document.documentElement.classList.toggle('light');
  byId('theme').textContent = light ? 'dark' : 'light';
  kept.key = '';
  showAll();
}

let viewIsChosen = false;
function changeView() {
  viewIsChosen = true;
  const byBank = byId('by-bank').getAttribute('aria-pressed') !== 'true';
  byId('by-bank').setAttribute('aria-pressed', byBank);
  glideTo(() => {
    for (const figure of shared) figure.byBank = byBank;
    showAll();
  });
}

// Where the window is too narrow for all panels, the source or the counters are shown.
function showTab(name) {
  document.querySelector('main').classList.toggle('counters', name === 'counters');
  for (const tab of ['source', 'counters']) byId('tab-' + tab).setAttribute('aria-pressed', tab === name);
  shownLine = null;
  showSource(stepAt(Math.floor(position.tick)));
}

const keys = {
  ' ': playOrStop, ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), PageDown: () => partBy(1), PageUp: () => partBy(-1),
  Home: () => { stop(); seek(0); }, End: () => { stop(); seek(lastTick); }, n: () => conflictBy(1), N: () => conflictBy(-1),
  t: changeTheme, T: changeTheme, b: changeView, B: changeView,
  m: changeFragments, M: changeFragments, l: () => chooseLane(chosenLane + 1), L: () => chooseLane(chosenLane + 31),
  p: changePad, P: changePad, '+': () => tileBy(1), '=': () => tileBy(1), '-': () => tileBy(-1),
};

function listen() {
  document.addEventListener('keydown', (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
    event.preventDefault();
    if (!event.repeat || ![' ', 'p', 'P', '+', '=', '-'].includes(event.key)) action();
  });
  const onClick = { start: keys.Home, back: keys.ArrowLeft, play: playOrStop, on: keys.ArrowRight, end: keys.End,
    'part-back': keys.PageUp, 'part-on': keys.PageDown, conflict: keys.n, theme: changeTheme, 'by-bank': changeView, 'as-fragments': changeFragments, pad: changePad, 'tab-source': () => showTab('source'), 'tab-counters': () => showTab('counters') };
  for (const [id, action] of Object.entries(onClick)) byId(id).addEventListener('click', (event) => { action(); event.currentTarget.blur(); });
  byId('speed').addEventListener('change', (event) => { position.speed = Number(event.target.value); event.target.blur(); });
  window.addEventListener('resize', () => { if (glide) endGlide(); showAll(); });
  window.addEventListener('hashchange', openAtHash);
}

// Opens page.html#tick=12 at that tick.
function openAtHash() {
  const wanted = /tick=(\d+)/.exec(window.location.hash);
  if (!wanted) return false;
  stop();
  seek(Number(wanted[1]) - 1);
  return true;
}

function begin() {
  const usual = kSpeeds.find((speed) => speed >= 1 && lastTick * kTickSeconds / speed <= kLongest) || kSpeeds[kSpeeds.length - 1];
  position.speed = usual;
  byId('speed').replaceChildren(...kSpeeds.map((speed) => {
    const option = element('option', '\u00d7' + speed);
    option.value = speed;
    option.selected = speed === usual;
    return option;
  }));
  if (data.opening.light) document.documentElement.classList.add('light');
  byId('theme').textContent = data.opening.light ? 'dark' : 'light';
  readColours();
  makeTiles();
  showLaunch();
  makeBanks();
  placeFigures();
  chooseViews();
  byId('by-bank').hidden = shared.length === 0;
  byId('by-bank').setAttribute('aria-pressed', shared.some((figure) => figure.byBank));
  listen();
  listenToTimeline();
  listenToCells();
  listenToFragments();
  position.tick = data.opening.tick;
  showSourceFile(0);
  showAll();
  openAtHash();
}
