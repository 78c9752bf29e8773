// The panels around the stage: head, source, phase, warps, counters, findings.
function showHead() {
  byId('title').textContent = data.launch.title;
  byId('facts').replaceChildren(...data.launch.facts.filter(([label]) => label !== 'TILE' || byId('tiles').hidden).map(([label, value]) => {
    const item = element('li');
    item.append(element('span', label, 'label'), element('b', value));
    return item;
  }));
  byId('time').textContent = data.timeline.words + (data.launch.complete ? '' : '; the recording was cut off');
}

const kMostIndent = 16;  // characters
let shownFile = -1, shownLine = null;
function showSourceFile(file) {
  if (file === shownFile) return;
  shownFile = file;
  const source = data.sources[file];
  byId('source-name').textContent = source.name.split('/').pop();
  byId('lines').replaceChildren(...source.text.replace(/\n$/, '').split('\n').map((text, index) => {
    const line = element('div'), ticks = file === 0 ? data.ticksOfLine[index + 1] : 0;
    const code = element('span', text || ' '), hangs = Math.min(text.search(/\S|$/) + 4, kMostIndent);
    code.style.paddingLeft = hangs + 'ch';  // a line that does not fit goes on below, indented
    code.style.textIndent = -hangs + 'ch';
    line.append(element('i', index + 1), code, element('b', ticks ? withCommas(ticks) : ''));
    if (ticks) line.title = counted(ticks, 'tick', 'ticks') + ' of this block';
    return line;
  }));
}

function showSource(step) {
  if (stepCount === 0) return showSourceFile(0);
  const at = requestOf(step), lines = byId('lines');
  showSourceFile(steps.file[at]);
  if (shownLine) shownLine.className = '';
  shownLine = lines.children[steps.line[at] - 1] || null;
  if (!shownLine) return;
  shownLine.className = 'now';
  const top = shownLine.offsetTop, height = lines.clientHeight;
  if (top < lines.scrollTop + 40 || top > lines.scrollTop + height - 60) lines.scrollTop = top - height / 3;
}

function showPhase(step) {
  const phases = data.timeline.phases, at = Math.min(step, stepCount);
  byId('phase').textContent = phases > 1 ? 'Phase ' + (steps.phase[at] + 1) + ' of ' + phases : step >= stepCount ? 'The end' : 'Block ' + data.launch.blockName;
  const now = step >= stepCount ? -1 : /w/.test(tables.warps[steps.warps[at]]) ? 3 : steps.part[at];
  const words = data.timeline.barriers.length > 0 ? [...partWords, 'barrier'] : partWords;
  byId('part').replaceChildren(...words.map((word, part) => element('span', word, part === now ? 'now' : '')));
}

const warpWords = { l: '\u2193 loads', s: '\u2191 stores', w: '\u2016 waits', c: '\u00d7 computes', r: '\u00b7 ready', d: '\u2713 done', a: '\u2016 awaits copies' };
function showWarps(step) {
  const letters = tables.warps[steps.warps[Math.min(step, stepCount)]], many = letters.length > 4;
  const now = step < stepCount ? steps.warp[step] : -1;
  byId('warps').replaceChildren(...[...letters].map((letter, warp) => {
    const end = letter === 'd' && data.launch.warpEnds ? data.launch.warpEnds[warp] : 'done';
    const words = letter !== 'd' || end === 'done' ? warpWords[letter] : (end.startsWith('waits') ? '\u2016 ' : '\u2026 ') + end;
    const token = element('span', (many ? '' : 'warp ') + warp + ' ' + (many ? words.split(' ')[0] : words), (end === 'done' ? letter : 'r') + (warp === now ? ' now' : ''));
    token.title = 'warp ' + warp + ': ' + words.slice(2);
    return token;
  }));
}

// The sums of the counters up to and including each step. Their summands come from the trace.
const soFar = [];
function countUpTo(step) {
  const rows = data.counters.rows.length;
  if (soFar.length === 0) soFar.push(new Array(rows).fill(0));
  for (let i = soFar.length; i <= step; ++i) {
    const adds = costOf(i - 1).adds;
    soFar.push(soFar[i - 1].map((sum, row) => sum + adds[row]));
  }
  return soFar[step];
}

let shownRows = [];
function makeCounters() {
  soFar.length = 0;
  shownRows = data.counters.rows.map((row, index) => ({ ...row, index })).filter((row) => row.launch > 0);
  byId('counters').tBodies[0].replaceChildren(...shownRows.map((row) => {
    const line = element('tr', undefined, row.conflict ? 'conflict' : '');
    line.append(element('td', row.label), element('td', '0'), element('td', withCommas(row.block)), element('td', withCommas(row.launch)));
    return line;
  }));
}
function showCounters(step) {
  const sums = countUpTo(Math.min(step + 1, stepCount)), lines = byId('counters').tBodies[0].rows;
  shownRows.forEach((row, line) => { lines[line].cells[1].textContent = withCommas(sums[row.index]); });
}

function makeFindings() {
  byId('findings').replaceChildren();
  if (data.findings.length === 0) return;
  byId('findings').append(element('h3', counted(data.findings.length, 'finding', 'findings')), ...data.findings.map((finding) => {
    const text = element('p', finding.sentence + ' ');
    if (finding.tick !== null) {
      const go = text.appendChild(element('button', 'show'));
      go.addEventListener('click', () => { stop(); seek(finding.tick); });
    }
    return text;
  }));
}
