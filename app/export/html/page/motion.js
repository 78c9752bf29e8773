// What moves besides the flights: a barrier that opens, and words that slide to their banks.
const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const kOpenSeconds = 0.48, kPartsSeconds = 0.12, kGlideSeconds = 0.4, kFastestOpening = 4;
const opening = { tick: -1, began: 0 };

// How far the barrier that opened last is open, from 0 to 1.
function barrierGap(now = performance.now()) {
  const since = (now - opening.began) / 1000;
  return opening.tick < 0 ? 0 : clamp(Math.min(since, kOpenSeconds - since) / kPartsSeconds, 0, 1);
}

// Opens the last barrier that the play head passes on its way forward.
function openBarrierBetween(from, to) {
  if (isStill() || position.speed > kFastestOpening) return;
  const passed = data.timeline.barriers.filter(([tick]) => tick > from && tick <= to).pop();
  if (!passed) return;
  opening.tick = passed[0];
  opening.began = performance.now();
  const gate = byId('gate');
  gate.classList.remove('opens');
  void gate.offsetWidth;  // starts the style sheet's animation anew
  gate.classList.add('opens');
  const frame = (now) => {
    const over = (now - opening.began) / 1000 >= kOpenSeconds;
    if (over) { opening.tick = -1; gate.classList.remove('opens'); }
    paintTimeline(position.tick);
    if (!over) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function closeBarrier() {
  opening.tick = -1;
  byId('gate').classList.remove('opens');
}

// The mark of the barrier that opens parts in the middle; the play head stands between its halves.
function paintOpening(g, area) {
  const gap = barrierGap();
  if (gap <= 0) return;
  const x = xOfTick(area, opening.tick), wide = 2 + 6 * gap, height = area.height - area.top, half = height * (0.5 - 0.35 * gap);
  g.fillStyle = colours['--panel'];
  g.fillRect(x - wide / 2, area.top, wide, height);
  g.fillStyle = colours['--wait'];
  g.fillRect(x - wide / 2, area.top, wide, half);
  g.fillRect(x - wide / 2, area.top + height - half, wide, half);
}

// Where the words of shared memory are on the stage: name of array -> [{cell, element, x, y, w, h}].
function placesOfWords() {
  const origin = byId('stage').getBoundingClientRect(), stage = byId('stage');
  return new Map(shared.map((figure) => {
    const at = figure.canvas.getBoundingClientRect(), words = [];
    const left = at.left - origin.left + stage.scrollLeft + 1, top = at.top - origin.top + stage.scrollTop + 1;
    figure.forEach((cell) => {
      const rect = figure.rect(cell);
      if (rect) words.push({ cell, element: figure.elementOf(cell), x: left + rect.x * figure.pitch, y: top + rect.y * figure.pitch, w: rect.w * figure.pitch, h: rect.h * figure.pitch });
    });
    return [figure.array.name, words];
  }));
}

// The request to shared memory that is shown: what it does, its wavefronts, and the words in each bank.
function shownService() {
  const step = position.step, service = step < stepCount ? serviceOf(step) : null;
  if (!service) return null;
  const words = new Array(data.launch.banks).fill(0);
  for (const each of service.banks) words[each.bank] = each.words;
  return { what: steps.operation[step] + arrays[steps.array[step]].name, words, cost: costOf(step) };
}

const leftOfWords = (places) => [...places.values()].flat().reduce((left, word) => Math.min(left, word.x), Infinity);

let glide = null;
// Slides the words from where they were before `change` to where they are after it. The figures of
// the request count, and its queues at the banks grow or shrink.
function glideTo(change) {
  if (glide) endGlide();
  const before = placesOfWords(), served = shownService();
  change();
  if (isStill()) return;
  const serves = shownService(), counts = served && serves && served.what === serves.what;
  const after = placesOfWords(), aside = leftOfWords(after) - leftOfWords(before);
  // Other cells may now lie where the words were: they start beside them.
  if (aside > 0) for (const words of before.values()) for (const word of words) word.x += aside;
  glide = { before, after, began: performance.now(), served: counts ? served : null, serves };
  for (const figure of shared) figure.canvas.style.visibility = 'hidden';
  const mine = glide, frame = (now) => {
    if (glide !== mine) return;
    if ((now - glide.began) / 1000 >= kGlideSeconds) endGlide(); else paintCounts();
    paintFlights();
    if (glide) requestAnimationFrame(frame);
  };
  paintCounts();
  paintFlights();
  requestAnimationFrame(frame);
}

function endGlide() {
  const counted = glide.served;
  glide = null;
  for (const figure of shared) figure.canvas.style.visibility = '';
  if (!counted || position.step >= stepCount) return;
  showRequest(position.step);
  showBanks(position.step, position.wavefront);
}

function glideAlong() {
  const share = clamp((performance.now() - glide.began) / 1000 / kGlideSeconds, 0, 1);
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
}

function paintCounts() {
  const { served, serves } = glide;
  if (!served || shownService()?.what !== serves.what) return;
  const along = glideAlong(), at = (from, to) => Math.round(from * (1 - along) + to * along);
  const [wavefronts, conflicts] = ['wavefronts', 'conflicts'].map((key) => at(served.cost[key], serves.cost[key]));
  showRequest(position.step, { ...serves.cost, wavefronts, conflicts });
  showQueues(serves.words.map((words, bank) => at(served.words[bank] || 0, words)));
}

function paintGlide(g) {
  if (!glide) return;
  const along = glideAlong();
  for (const figure of shared) {
    const was = glide.before.get(figure.array.name) || [];
    const byElement = new Map(was.map((word) => [word.element, word]));
    const marks = marksOf(figure, position.step, position.wavefront);
    for (const word of glide.after.get(figure.array.name)) {
      const from = word.element === '' ? null : byElement.get(word.element);
      const at = (key) => (from || word)[key] * (1 - along) + word[key] * along;
      const { look, value } = cells.at(figure.index, word.cell);
      g.globalAlpha = from ? 1 : along;  // padding appears where it is
      if (look === Look.neverWritten && figure.isPadding(word.cell)) hatch(g, at('x') + 1, at('y') + 1, at('w') - 2, at('h') - 2, colours['--ink3']);
      else paintCell(g, at('x'), at('y'), at('w'), at('h'), look, figure.array.tone, marks.get(word.cell) || '', value, figure.characters);
    }
  }
  g.globalAlpha = 1;
}
