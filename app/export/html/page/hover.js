// The value of a cell, and the threads that write and read it, from the recorded requests.
const kLongList = 4;

// "warp 0, lanes 0 to 15", "warp 0, lanes 1, 3, 5", "warp 0, 16 lanes", "thread (5,1) (warp 1, lane 5)"
function lanesInWords(step, list) {
  const warp = 'warp ' + steps.warp[step];
  if (list.length === 1) return 'thread ' + threadName(steps.warp[step], list[0]) + ' (' + warp + ', lane ' + list[0] + ')';
  if (list.length <= kLongList) return warp + ', lanes ' + list.join(', ');
  const together = list[list.length - 1] - list[0] === list.length - 1;
  return warp + (together ? ', lanes ' + list[0] + ' to ' + list[list.length - 1] : ', ' + list.length + ' lanes');
}

// The requests that access a cell: [{step, lanes}].
function requestsOf(array, cell) {
  const found = [];
  for (const access of accesses(array, cell)) {
    const step = Math.floor(access / 32), lane = access % 32, last = found[found.length - 1];
    if (last && last.step === step) { if (!last.lanes.includes(lane)) last.lanes.push(lane); } else found.push({ step, lanes: [lane] });
  }
  return found;
}

const at = (step) => 'tick ' + withCommas(steps.begin[step] + 1) + ', line ' + steps.line[step];

function describe(figure, cell) {
  const array = figure.index, { look, value } = cells.at(array, cell), now = position.step, lines = [];
  const heading = cellName(array, cell) + (value ? ' = ' + value : '');
  if (figure.isPadding(cell)) lines.push('padding');
  else if (figure.shared || look !== Look.valid) lines.push(lookWords[look]);
  const requests = requestsOf(array, cell), writes = requests.filter((r) => isWrite(steps.operation[r.step]));
  const reads = requests.filter((r) => isRead(steps.operation[r.step]));
  const tell = (list, did, does) => {
    const current = list.find((r) => r.step === now), last = list.filter((r) => r.step < now).pop(), next = list.find((r) => r.step > now);
    if (current) lines.push(does + ' now by ' + lanesInWords(current.step, current.lanes) + ', line ' + steps.line[current.step]);
    if (last) lines.push('last ' + did + ' by ' + lanesInWords(last.step, last.lanes) + ', ' + at(last.step));
    if (next) lines.push('next ' + did + ' by ' + lanesInWords(next.step, next.lanes) + ', ' + at(next.step));
  };
  tell(writes, 'written', 'written');
  tell(reads, 'read', 'read');
  lines.push(requests.length === 0 ? 'this block does not access it' : counted(writes.length, 'write', 'writes') + ', ' + counted(reads.length, 'read', 'reads') + ' by this block');
  return { heading, lines };
}

function showCard(figure, cell, x, y) {
  const card = byId('card'), { heading, lines } = describe(figure, cell);
  card.replaceChildren(element('b', heading), ...lines.map((line) => element('p', line)));
  card.hidden = false;
  const width = card.offsetWidth, height = card.offsetHeight;
  card.style.left = clamp(x + 16 + width > window.innerWidth ? x - width - 12 : x + 16, 4, window.innerWidth - width - 4) + 'px';
  card.style.top = clamp(y + 16 + height > window.innerHeight ? y - height - 12 : y + 16, 4, window.innerHeight - height - 4) + 'px';
}

function listenToCells() {
  const cellUnder = (event) => {
    const figure = event.target.figure;
    if (!figure) return null;
    const box = figure.canvas.getBoundingClientRect(), cell = figure.cellAt(event.clientX - box.left - 1, event.clientY - box.top - 1);
    return cell < 0 ? null : { figure, cell };
  };
  const show = (event) => {
    const under = cellUnder(event);
    if (under) showCard(under.figure, under.cell, event.clientX, event.clientY); else byId('card').hidden = true;
  };
  byId('figures').addEventListener('pointermove', show);
  byId('figures').addEventListener('pointerdown', show);
  byId('figures').addEventListener('pointerleave', () => { byId('card').hidden = true; });
  // A click goes to the next request that accesses the cell; after the last one it goes to the
  // first.
  byId('figures').addEventListener('click', (event) => {
    const under = cellUnder(event);
    if (!under || event.pointerType === 'touch') return;
    const requests = requestsOf(under.figure.index, under.cell), next = requests.find((r) => r.step > position.step) || requests[0];
    if (!next) return;
    stop();
    seek(steps.begin[next.step]);
    show(event);
  });
}
