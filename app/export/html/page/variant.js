// The change to a launch with another TILE or PAD. All of them are in the page.
const tileOf = (variant) => variant.launch.tile, padOf = (variant) => variant.launch.pad;
const different = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
const tilesOfPage = different(variants.map(tileOf)), padsOfPage = different(variants.map(padOf));
const launchWith = (tile, pad) => variants.find((variant) => tileOf(variant) === tile && padOf(variant) === pad);
// The PADs that the page has with this TILE, ascending.
const padsWith = (tile) => padsOfPage.filter((pad) => launchWith(tile, pad));

function showLaunch() {
  showHead();
  makeCounters();
  makeFindings();
  findConflicts();
  byId('barrier').hidden = data.timeline.barriers.length === 0;
  const pads = padsWith(tileOf(data)), most = pads[pads.length - 1];
  byId('pad').hidden = padsOfPage.length === 1;
  byId('pad').disabled = pads.length === 1;
  byId('pad').title = 'PAD ' + most + ': ' + counted(most, 'word', 'words') + ' of padding after each row (P)';
  byId('pad').setAttribute('aria-pressed', padOf(data) > padsOfPage[0]);
  for (const button of byId('tiles').querySelectorAll('button')) button.setAttribute('aria-pressed', Number(button.textContent) === tileOf(data));
}

function makeTiles() {
  byId('tiles').hidden = tilesOfPage.length === 1;
  byId('tiles').append(...tilesOfPage.map((tile) => {
    const button = element('button', tile);
    button.type = 'button';
    button.title = 'TILE ' + tile + ' (+ and -)';
    button.addEventListener('click', () => { changeTile(tile); button.blur(); });
    return button;
  }));
}

// What a step does: the same text in all launches.
const deedOf = (step) => [steps.file[step], steps.line[step], steps.operation[step], arrays[steps.array[step]].name].join();

// The steps of a phase that do this; only those of a warp, if it does it.
function stepsLike(deed, phase, warp) {
  const all = [];
  for (let step = 0; step < stepCount; ++step) if (steps.phase[step] === phase && deedOf(step) === deed) all.push(step);
  const own = all.filter((step) => steps.warp[step] === warp);
  return own.length > 0 ? own : all;
}

// A place that keeps its meaning: the phase by its first k, and how far the warp is with what the
// step does.
function placeOf(step) {
  const deed = deedOf(step), warp = steps.warp[step], alike = stepsLike(deed, steps.phase[step], warp);
  return { deed, warp, phase: (steps.phase[step] + 0.001) / data.timeline.phases, within: (alike.indexOf(step) + 0.5) / alike.length };
}

// The step of this place. The end if there is none.
function stepOfPlace({ deed, warp, phase, within }) {
  const alike = stepsLike(deed, Math.floor(phase * data.timeline.phases), warp);
  return alike.length > 0 ? alike[Math.floor(within * alike.length)] : stepCount;
}

function showVariant(variant) {
  const step = position.step, within = position.tick - (step < stepCount ? steps.begin[step] : 0);
  const place = position.tick < 1 ? null : step < stepCount ? placeOf(step) : 'end', byBank = shared.some((figure) => figure.byBank);
  const sameTile = tileOf(variant) === tileOf(data);
  read(variant);
  cells.empty();
  accessesOf.length = 0;
  flightsFound = landing = null;
  for (const figure of figures) figure.element.remove();
  if (byId('shared')) byId('shared').remove();
  figures = arrays.map((_, index) => new Figure(index));
  placeFigures();
  if (sameTile || viewIsChosen) for (const figure of shared) figure.byBank = byBank; else chooseViews();
  byId('by-bank').setAttribute('aria-pressed', shared.some((figure) => figure.byBank));
  kept.key = '';
  shownFile = -1;
  shownLine = null;
  showLaunch();
  const there = place === null ? 0 : place === 'end' ? stepCount : stepOfPlace(place);
  position.tick = there < stepCount ? steps.begin[there] + Math.min(within, steps.ticks[there] - 1) : lastTick;
  closeBarrier();
  showAll();
}

function changeTo(variant) {
  if (!variant || variant === data) return;
  byId('card').hidden = true;
  glideTo(() => showVariant(variant));
}

function changePad() {
  const pads = padsWith(tileOf(data));
  changeTo(launchWith(tileOf(data), pads[(pads.indexOf(padOf(data)) + 1) % pads.length]));
}

// PAD stays, or becomes the first one of the TILE.
const changeTile = (tile) => changeTo(launchWith(tile, padOf(data)) || launchWith(tile, padsWith(tile)[0]));
const tileBy = (direction) => changeTile(tilesOfPage[clamp(tilesOfPage.indexOf(tileOf(data)) + direction, 0, tilesOfPage.length - 1)]);

begin();
