// Elements on their way from global to shared memory. Those of one request move together, while the
// replay plays or after a step onto the request that stores them. At rest nothing is in mid-air.
const kTurns = 0.66;  // share of the way after which a bar turns

// The flights by the request that stores them: [{depart, land, from, to, cells: [[from, to]]}].
let flightsFound = null;
function flights() {
  if (flightsFound) return flightsFound;
  return flightsFound = data.flights.map(([depart, land, from, to, runs]) => {
    const cells = [];
    for (let i = 0; i < runs.length; i += 3)
      for (let n = 0; n < runs[i + 2]; ++n) cells.push([runs[i] + n, runs[i + 1] + n]);
    return { depart, land, from, to, cells };
  });
}

// The boxes of the figures' visible parts on the stage, and where their canvases begin there.
function placesOfFigures() {
  const stage = byId('stage'), origin = stage.getBoundingClientRect();
  return figures.map((figure) => {
    const view = figure.view.getBoundingClientRect(), canvas = figure.canvas.getBoundingClientRect();
    const x = stage.scrollLeft - origin.left, y = stage.scrollTop - origin.top;
    return { x: canvas.left + x + 1, y: canvas.top + y + 1, left: view.left + x, top: view.top + y, right: view.right + x, bottom: view.bottom + y };
  });
}

// Where a cell is on the stage. A cell that is scrolled out of its figure is at the edge. null if
// the figure does not show it.
function cellOnStage(figure, place, cell) {
  const at = figure.rect(cell);
  if (!at) return null;
  const w = at.w * figure.pitch, h = at.h * figure.pitch;
  return { x: clamp(place.x + at.x * figure.pitch, place.left, place.right - w), y: clamp(place.y + at.y * figure.pitch, place.top, place.bottom - h), w, h };
}

function boxAround(rects) {
  const x = Math.min(...rects.map((rect) => rect.x)), y = Math.min(...rects.map((rect) => rect.y));
  return { x, y, w: Math.max(...rects.map((rect) => rect.x + rect.w)) - x, h: Math.max(...rects.map((rect) => rect.y + rect.h)) - y };
}

// A bar of the words of a request, in the colour of its array. A row that becomes a column turns at
// the end of its way, unless the words lie apart there.
function paintBar(g, starts, ends, share, along, tone) {
  const from = boxAround(starts), to = boxAround(ends), apart = Math.min(to.w, to.h) >= 2 * Math.min(ends[0].w, ends[0].h);
  const scale = ends[0].w / starts[0].w, shape = apart ? { w: from.w * scale, h: from.h * scale } : to;
  const turns = from.w > from.h !== shape.w > shape.h;
  const [w, h] = turns ? [shape.h, shape.w] : [shape.w, shape.h];
  const between = (first, last) => first * (1 - along) + last * along, wide = between(from.w, w), high = between(from.h, h);
  g.save();
  g.translate(between(from.x + from.w / 2, to.x + to.w / 2), between(from.y + from.h / 2, to.y + to.h / 2));
  if (turns) g.rotate(Math.PI / 2 * clamp((share - kTurns) / (1 - kTurns), 0, 1));
  g.fillStyle = solidOf(tone);
  g.fillRect(-wide / 2, -high / 2, wide, high);
  g.restore();
}

function paintFlight(g, flight, share, places) {
  const from = figures[flight.from], to = figures[flight.to], along = 0.5 - 0.5 * Math.cos(Math.PI * share);
  const starts = [], ends = [], values = [];
  for (const [fromCell, toCell] of flight.cells) {
    const start = cellOnStage(from, places[flight.from], fromCell), end = cellOnStage(to, places[flight.to], toCell);
    if (!start || !end) continue;
    starts.push(start);
    ends.push(end);
    values.push(cells.at(flight.from, fromCell).value);
  }
  if (starts.length === 0) return;
  g.globalAlpha = 0.9;
  const least = from.pitchOfType(kLeastType);
  if (Math.min(from.pitch, to.pitch) < least) paintBar(g, starts, ends, share, along, to.array.tone);
  else starts.forEach((start, i) => {
    const at = (key) => start[key] * (1 - along) + ends[i][key] * along;
    paintCell(g, at('x'), at('y'), at('w'), at('h'), Look.valid, to.array.tone, 'now', values[i], from.characters);
  });
  g.globalAlpha = 1;
}

// After a step onto the request that stores them, its words land in this time.
const kLandSeconds = 0.4;
let landing = null;
function land(tick) {
  if (isStill() || !flights().some((flight) => flight.land === tick)) return;
  const mine = landing = { tick, began: performance.now() };
  const frame = () => {
    if (landing !== mine) return;
    if ((performance.now() - mine.began) / 1000 >= kLandSeconds) landing = null;
    paintFlights();
    if (landing) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

// The flights that are under way: [flight, share of the way].
function movingFlights() {
  if (isStill()) return [];
  const now = position.tick;
  if (position.playing)
    return flights().filter((flight) => now > flight.depart && now < flight.land).map((flight) => [flight, (now - flight.depart) / (flight.land - flight.depart)]);
  if (!landing) return [];
  const share = clamp((performance.now() - landing.began) / 1000 / kLandSeconds, 0, 1);
  return flights().filter((flight) => flight.land === landing.tick).map((flight) => [flight, share]);
}

function paintFlights() {
  const canvas = byId('flights'), g = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, canvas.width, canvas.height);
  const moving = movingFlights();
  if (moving.length > 0) {
    const places = placesOfFigures();
    for (const [flight, share] of moving) paintFlight(g, flight, share, places);
  }
  paintGlide(g);
}
