// The current request: its sentence, its cost, and how the banks serve it.
function showSentence(step) {
  const spans = tables.sentences[steps.sentence[step]], line = byId('sentence'), parts = [];
  for (let i = 0; i < spans.length; i += 2)
    parts.push(spans[i] === 0 ? spans[i + 1] : element(spans[i] === 1 ? 'b' : 'span', spans[i + 1], 'tone' + spans[i]));
  line.replaceChildren(...parts);
}

// The width of the longest sentence of all launches in a font.
const widest = { font: '', width: 0 };
function widthOfSentences(font) {
  if (widest.font === font) return widest.width;
  const g = document.createElement('canvas').getContext('2d'), words = (spans) => spans.filter((_, i) => i % 2 === 1).join('');
  g.font = widest.font = font;
  const sentences = variants.flatMap((variant) => variant.tables.sentences);
  return widest.width = sentences.reduce((most, spans) => Math.max(most, g.measureText(words(spans)).width), 0);
}

// Reserves room for the longest sentence, so that the layout does not change with the sentence.
function reserveSentence() {
  const line = byId('sentence'), style = getComputedStyle(line), longest = widthOfSentences('700 ' + style.fontSize + ' ' + style.fontFamily);
  const width = line.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const lines = Math.max(1, Math.ceil(longest * 1.03 / Math.max(width, 1)));
  line.style.minHeight = isPhone() ? '' : lines * parseFloat(style.lineHeight) + 2 * parseFloat(style.paddingTop) + 'px';
}

function amount(value, words, conflict) {
  const box = element('div', undefined, conflict ? 'conflict' : '');
  box.append(element('b', value), words);
  return box;
}

// `cost`: of the request, or figures on their way to it.
function showRequest(step, cost = costOf(requestOf(step))) {
  const at = requestOf(step), array = arrays[steps.array[at]], service = serviceOf(at);
  const word = element('b', array.name, 'tone' + array.tone);
  const multiplies = steps.operation[at] === Operation.load && steps.fragments[at] >= 0 && tables.fragments[steps.fragments[at]][0].startsWith('wgmma');
  byId('request').replaceChildren((multiplies ? 'wgmma reads' : operationWords[steps.operation[at]]) + ' ', word);
  byId('where').textContent = array.space + ' memory, warp ' + steps.warp[at] + ', line ' + steps.line[at];
  const amounts = [];
  if (service) {
    amounts.push(amount(withCommas(cost.wavefronts), cost.wavefronts === 1 ? 'wavefront' : 'wavefronts', cost.conflicts > 0),
      amount(service.banks.length, service.banks.length === 1 ? 'bank' : 'banks'),
      amount(withCommas(cost.conflicts), cost.conflicts === 1 ? 'conflict' : 'conflicts', cost.conflicts > 0));
  } else if (array.space === 'global') {
    amounts.push(amount(withCommas(cost.transactions), cost.transactions === 1 ? data.launch.unit : data.launch.units),
      amount(withCommas(cost.lines), cost.lines === 1 ? 'line' : 'lines'),
      amount(withCommas(cost.used) + ' of ' + withCommas(cost.moved), 'bytes used'));
  } else {
    amounts.push(amount(withCommas(cost.wavefronts), cost.wavefronts === 1 ? 'address' : 'addresses'));
  }
  amounts.push(amount(cost.lanes, cost.lanes === 1 ? 'lane' : 'lanes'));
  byId('amounts').replaceChildren(...amounts);
}

// A column for each bank and in it a block for each word that the bank serves, ordered by
// wavefront.
function makeBanks() {
  const banks = byId('banks'), count = data.launch.banks;
  banks.style.gridTemplateColumns = 'repeat(' + count + ', 1fr)';
  for (let bank = 0; bank < count; ++bank) {
    const column = banks.appendChild(element('div'));
    column.dataset.bank = bank;
    column.dataset.words = 0;
  }
  for (let bank = 0; bank < count; ++bank) banks.appendChild(element('u', bank % 4 === 0 ? bank : ''));
}

let roomOfBanks = 84;  // pixels; height of a bank's column
function measureBanks() { roomOfBanks = byId('banks').children[0].clientHeight || roomOfBanks; }

function showBanks(step, wavefront) {
  const service = step < stepCount ? serviceOf(step) : null, columns = byId('banks').children, count = data.launch.banks;
  byId('banks-title').textContent = count + ' banks';
  const cost = step < stepCount ? costOf(step) : null;
  byId('wavefront').textContent = service ? 'wavefront ' + (wavefront + 1) + ' of ' + cost.wavefronts : 'idle';
  for (let bank = 0; bank < count; ++bank) {
    columns[bank].replaceChildren();
    columns[bank].dataset.words = 0;
    columns[bank].title = '';
  }
  if (!service) return;
  byId('banks').className = cost.conflicts > 0 ? '' : 'free';
  byId('banks').style.setProperty('--tone', solidOf(arrays[steps.array[step]].tone));
  const tallest = Math.max(...service.banks.map((bank) => bank.words));
  const height = clamp(Math.floor(roomOfBanks / tallest) - 1, 1, 12);
  for (const { bank, words } of service.banks) {
    const column = columns[bank], seen = new Map();
    column.dataset.words = words;
    for (const served of service.words) {
      if (served.bank !== bank) continue;
      if (!seen.has(served.word + ':' + served.wavefront)) seen.set(served.word + ':' + served.wavefront, { wavefront: served.wavefront, lanes: [] });
      seen.get(served.word + ':' + served.wavefront).lanes.push(served.lane);
    }
    const queue = [...seen.values()].sort((a, b) => a.wavefront - b.wavefront);
    column.title = 'bank ' + bank + ': ' + queue.map((word) => 'wavefront ' + (word.wavefront + 1) + ' for lane ' + [...new Set(word.lanes)].join(', ')).join('; ');
    for (const word of queue) {
      const block = column.appendChild(element('i', undefined, word.wavefront > wavefront ? 'waiting' : word.wavefront === wavefront ? 'now' : ''));
      block.style.height = height + 'px';
    }
  }
}

// Queues of so many words at each bank, while they grow or shrink.
function showQueues(words) {
  const columns = byId('banks').children, tallest = Math.max(1, ...words);
  const height = clamp(Math.floor(roomOfBanks / tallest) - 1, 1, 12);
  byId('banks').className = tallest > 1 ? '' : 'free';
  words.forEach((count, bank) => columns[bank].replaceChildren(...Array.from({ length: count }, (_, place) => {
    const block = element('i', undefined, place > 0 ? 'waiting' : 'now');
    block.style.height = height + 'px';
    return block;
  })));
}
