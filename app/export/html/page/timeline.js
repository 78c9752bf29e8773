// The tracks: global memory, shared memory, conflicts. Barriers cross all tracks. Also the play
// head.
const tracks = ['global', 'shared', 'conflicts'];

function timelineArea() {
  const canvas = byId('timeline'), width = canvas.clientWidth, height = canvas.clientHeight;
  const left = isPhone() ? 4 : 76, top = 20;
  return { canvas, width, height, left, top, right: width - 8, row: (height - top) / tracks.length };
}

const xOfTick = (area, tick) => area.left + (area.right - area.left) * (lastTick === 0 ? 0 : tick / lastTick);

function paintSteps(g, area, position) {
  for (let step = 0; step < stepCount; ++step) {
    const array = arrays[steps.array[step]], cost = costOf(step), x = xOfTick(area, steps.begin[step]);
    const w = Math.max(xOfTick(area, steps.begin[step] + steps.ticks[step]) - x - 0.7, 0.6), y = area.top + (array.space === 'shared' ? area.row : 0);
    g.globalAlpha = steps.begin[step] > position ? 0.4 : 1;
    g.fillStyle = solidOf(array.tone);
    g.fillRect(x, y + 1, w, area.row - 3);
    if (cost.conflicts > 0) {
      g.fillStyle = colours['--conflict'];
      g.fillRect(x, area.top + 2 * area.row + 1, w, area.row - 3);
    }
  }
  g.globalAlpha = 1;
}

function paintPhases(g, area) {
  let right = -1;
  for (const [phase, part, begin, end] of data.timeline.spans) {
    const words = partWords[part] + (data.timeline.phases > 1 ? ' ' + (phase + 1) : ''), x = xOfTick(area, begin);
    const middle = (x + xOfTick(area, end)) / 2, half = g.measureText(words).width / 2;
    const at = clamp(middle, area.left + half, area.right - half);
    if (at - half < right + 8 || xOfTick(area, end) - x < half) continue;
    g.fillText(words, at, 12);
    right = at + half;
  }
}

// Only the play head changes within a step. The rest is painted once for each step and kept.
const kept = { key: '', canvas: document.createElement('canvas') };
function paintTimeline(position) {
  const area = timelineArea(), ratio = window.devicePixelRatio || 1, step = stepAt(Math.floor(position));
  const canvas = area.canvas, key = [step, area.width, area.height, ratio, colours['--ink']].join();
  if (canvas.width !== Math.round(area.width * ratio) || canvas.height !== Math.round(area.height * ratio)) {
    canvas.width = Math.round(area.width * ratio);
    canvas.height = Math.round(area.height * ratio);
  }
  if (canvas.width === 0 || canvas.height === 0) return;
  if (kept.key !== key) {
    kept.key = key;
    kept.canvas.width = canvas.width;
    kept.canvas.height = canvas.height;
    const g = kept.canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = '13px Inter, "Segoe UI", Arial, sans-serif';
    g.fillStyle = colours['--ink2'];
    if (!isPhone()) tracks.forEach((word, row) => g.fillText(word, 0, area.top + row * area.row + area.row / 2 + 4));
    g.textAlign = 'center';
    paintPhases(g, area);
    paintSteps(g, area, position);
    g.fillStyle = colours['--wait'];
    for (const [tick] of data.timeline.barriers) g.fillRect(xOfTick(area, tick) - 1, area.top, 2, area.height - area.top);
  }
  const g = canvas.getContext('2d');
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, canvas.width, canvas.height);
  g.drawImage(kept.canvas, 0, 0);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintOpening(g, area);
  const x = xOfTick(area, Math.min(position, lastTick));
  g.fillStyle = colours['--accent'];
  g.fillRect(x - 1.5, 6, 3, area.height - 6);
  g.beginPath();
  g.moveTo(x - 7, 0);
  g.lineTo(x + 7, 0);
  g.lineTo(x, 10);
  g.fill();
}

function tickAtPointer(event) {
  const area = timelineArea(), box = area.canvas.getBoundingClientRect();
  const share = (event.clientX - box.left - area.left) / (area.right - area.left);
  return clamp(Math.floor(share * lastTick), 0, lastTick);
}

function listenToTimeline() {
  const canvas = byId('timeline');
  let dragging = false;
  canvas.addEventListener('pointerdown', (event) => {
    dragging = true;
    try { canvas.setPointerCapture(event.pointerId); } catch (lost) { dragging = true; }
    stop();
    seek(tickAtPointer(event));
  });
  canvas.addEventListener('pointermove', (event) => { if (dragging) seek(tickAtPointer(event)); });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { dragging = false; });
}
