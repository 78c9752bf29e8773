// The change of a kernel's PAD. Both launches are in the page.
function showLaunch() {
  showHead();
  makeCounters();
  makeFindings();
  findConflicts();
  const padded = variants.reduce((most, variant) => variant.launch.pad > most.launch.pad ? variant : most);
  byId('pad').title = 'PAD ' + padded.launch.pad + ': ' + counted(padded.launch.pad, 'word', 'words') + ' of padding after each row (P)';
  byId('pad').setAttribute('aria-pressed', data === padded);
}

// What a step does, the same text in both launches.
const deedOf = (step) => [steps.warp[step], steps.file[step], steps.line[step], steps.operation[step], arrays[steps.array[step]].name].join();

// How often warp and line had done before a step what the step does.
function placeOf(step) {
  const deed = deedOf(step);
  let before = 0;
  for (let at = 0; at < step; ++at) if (deedOf(at) === deed) ++before;
  return { deed, before };
}

// The step of this place. The last one if there is none.
function stepOfPlace({ deed, before }) {
  for (let at = 0; at < stepCount; ++at) if (deedOf(at) === deed && before-- === 0) return at;
  return stepCount;
}

function showVariant(variant) {
  const step = position.step, within = position.tick - (step < stepCount ? steps.begin[step] : 0);
  const place = step < stepCount ? placeOf(step) : null, byBank = shared.some((figure) => figure.byBank);
  read(variant);
  cells.empty();
  accessesOf.length = 0;
  flightsFound = landing = null;
  for (const figure of figures) figure.element.remove();
  if (byId('shared')) byId('shared').remove();
  figures = arrays.map((_, index) => new Figure(index));
  placeFigures();
  for (const figure of shared) figure.byBank = byBank;
  kept.key = '';
  shownFile = -1;
  shownLine = null;
  showLaunch();
  const there = place ? stepOfPlace(place) : stepCount;
  position.tick = there < stepCount ? steps.begin[there] + Math.min(within, steps.ticks[there] - 1) : lastTick;
  closeBarrier();
  showAll();
}

function changePad() {
  if (variants.length === 1) return;
  byId('card').hidden = true;
  glideTo(() => showVariant(data === variants[0] ? variants[1] : variants[0]));
}

begin();
