// The page of a lesson: one scene at a time, with the replays that it shows in frames. Without this
// script the page is a document with all scenes.
const byId = (id) => document.getElementById(id);
const lesson = JSON.parse(byId('lesson').textContent), scenes = lesson.scenes, root = document.documentElement;
let replaysOfPage, pageOfReplay;  // set once they are unpacked
async function unpack() {
  const bytes = Uint8Array.from(atob(byId('packed').textContent), (letter) => letter.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
  ({ replays: replaysOfPage, page: pageOfReplay } = JSON.parse(text));
}
const kTickSeconds = 0.16;  // of a common step of two replays
const place = { scene: 0, beat: 0 };
let allControls = false;

// Applies what changes_between() of export/html/page_changes.h wrote.
function changed(first, changes) {
  if (changes === null || typeof changes !== 'object' || Array.isArray(changes)) return changes;
  if (!Array.isArray(first)) {
    const made = { ...first };
    for (const [name, change] of Object.entries(changes)) made[name] = changed(first[name], change);
    return made;
  }
  const made = [...first];
  for (const [index, value] of Object.entries(changes)) made[index] = value;
  return made;
}

function dataOf(number) {
  const replay = replaysOfPage[number];
  if (replay.of !== null) { replay.data = changed(dataOf(replay.of), replay.data); replay.of = null; }
  return replay.data;
}

const isLight = () => root.classList.contains('light');
const asScript = (data) => JSON.stringify(data).replace(/</g, '\\u003c');
const sceneNow = () => scenes[place.scene], beatNow = () => sceneNow().beats[place.beat];
const sectionOf = (scene) => byId('scene-' + (scene + 1));

// A side of the picture: a frame with the replay's page, made anew for another replay.
class Side {
  constructor(id) {
    this.box = byId(id);
    this.number = null;
    this.banks = false;
    this.ready = null;  // the promise of the frame's replay
  }

  // A promise of the replay with this number, shown by bank or as it is declared.
  show(number, banks) {
    this.box.hidden = number === null;
    if (number === this.number && banks === this.banks) return this.ready;
    this.number = number;
    this.banks = banks;
    this.frame?.remove();
    this.frame = null;
    if (number === null) return this.ready = Promise.resolve(null);
    const frame = this.frame = document.createElement('iframe'), { style, body, script } = pageOfReplay;
    const data = { ...dataOf(number), opening: { light: isLight(), tick: 0 } };
    frame.title = 'Replay of ' + data.launch.title;
    this.ready = new Promise((done) => frame.addEventListener('load', () => {
      if (this.frame !== frame) return;
      frame.contentDocument.addEventListener('keydown', onKey, true);
      const { replay } = frame.contentWindow;
      if (allControls) replay.setControls(true);
      done(replay);
    }));
    frame.srcdoc = '<!doctype html><html class="embedded' + (banks ? ' banks' : '') + '"><head><meta charset="utf-8"><style>' + style + '</style>' + body +
      '<script type="application/json" id="data">' + asScript(data) + '<\/script><script type="application/json" id="others">[]<\/script>' +
      '<script>"use strict"; (() => {' + script + '})();<\/script></html>';
    this.box.append(frame);
    return this.ready;
  }

  get replay() { return this.frame?.contentWindow?.replay || null; }
}

const sides = [new Side('left'), new Side('right')];
const replays = () => sides.map((side) => side.replay).filter((replay) => replay);

// The two replays of a comparison move together: the index of a pair of ticks.
let pair = 0, pairRun = 0, pairPlays = false;  // a run ends when another one begins
const pairsNow = () => sceneNow().pairs || null;
function goToPair(index, forward) {
  const pairs = pairsNow();
  pair = Math.max(0, Math.min(pairs.length - 1, index));
  replays().forEach((replay, side) => replay.seek(pairs[pair][side], forward));
  showPlaying();
}
function stopPairs() { ++pairRun; pairPlays = false; showPlaying(); }
function playPairs(until, arrived) {
  const mine = ++pairRun;
  pairPlays = true;
  const go = () => {
    if (mine !== pairRun) return;
    if (pair >= until) { stopPairs(); return arrived?.(); }
    goToPair(pair + 1, true);
    setTimeout(go, 1000 * kTickSeconds);
  };
  setTimeout(go, 1000 * kTickSeconds);
  showPlaying();
}

// What a block of a scene says belongs to these beats.
function showBlocks() {
  const section = sectionOf(place.scene), kind = beatNow().kind;
  for (const block of section.querySelectorAll('[data-beats]')) block.classList.toggle('away', !block.dataset.beats.split(' ').includes(String(place.beat)));
  for (const [name, open] of [['.question', kind === 'answer'], ['.prediction', kind !== 'prediction']]) {
    const details = section.querySelector(name + ' details');
    if (details) details.open = open;
  }
  if (kind === 'prediction') for (const button of section.querySelectorAll('.choices button')) button.className = '';
}

function showFoot() {
  const scene = sceneNow(), last = place.scene + 1 === scenes.length && place.beat + 1 === scene.beats.length;
  byId('scene').value = place.scene;
  byId('back').disabled = place.scene === 0 && place.beat === 0;
  byId('on').disabled = last;
  const next = scenes[place.scene + 1];
  byId('place').textContent = (place.scene + 1) + ' of ' + scenes.length + (last ? ', the end' : place.beat + 1 < scene.beats.length ? ', ' + (place.beat + 1) + ' of ' + scene.beats.length : next ? ', next: ' + next.title : '');
  byId('transport').hidden = scene.left === null;
  byId('controls').hidden = scene.left === null;
  showPlaying();
}

const isPlaying = () => pairPlays || replays().some((replay) => replay.isPlaying());
function showPlaying() { byId('play').textContent = isPlaying() ? '\u275a\u275a' : '\u25b6'; }

let shown = 0;  // counts places, so that only the last one is finished
// Shows the place. `plays`: the replay plays up to the stop.
async function show(plays) {
  const mine = ++shown, scene = sceneNow(), beat = beatNow(), section = sectionOf(place.scene), main = document.querySelector('main');
  stopPairs();
  for (const each of document.querySelectorAll('.scene')) each.classList.toggle('now', each === section);
  main.className = scene.left === null ? 'alone' : scene.right === null ? '' : 'compare';
  showBlocks();
  showFoot();
  try { history.replaceState(null, '', '#scene-' + (place.scene + 1)); } catch (forbidden) { /* a file in some browsers */ }
  const names = scene.right === null ? ['', ''] : scene.names;
  sides.forEach((side, i) => { side.box.querySelector('.name').textContent = names[i]; });
  await unpacked;
  if (mine !== shown) return;
  const before = sides[0].number, made = await Promise.all([sides[0].show(scene.left, scene.banks), sides[1].show(scene.right, scene.banks)]);
  if (mine !== shown) return;
  const [left] = made, finished = () => {
    if (mine !== shown) return;
    section.classList.remove('waits');
    showFoot();
    document.dispatchEvent(new Event('shown'));
  };
  if (!left) return finished();
  for (const replay of made) if (replay) replay.highlight(scene.highlight);
  const [tick, other] = scene.stops[beat.stop], asks = beat.kind === 'prediction';
  if (scene.pairs) {
    const until = Math.max(0, scene.pairs.findLastIndex((ticks) => ticks[0] <= tick)), near = plays && pair < until && until - pair <= 24;
    if (near) { section.classList.add('waits'); return playPairs(until, finished); }
    pair = until;
    made[0].seek(tick);
    made[1].seek(other);
    return finished();
  }
  // By banks only the scene's own requests say something, so those between are left out.
  if (plays && before === scene.left && !scene.banks && !asks && left.tick() < tick) {
    section.classList.add('waits');
    return left.playTo(tick, finished);
  }
  left.seek(asks ? Math.max(tick - 1, 0) : tick);
  finished();
}

function goTo(scene, beat, plays) {
  sectionOf(place.scene).classList.remove('waits');
  place.scene = Math.max(0, Math.min(scenes.length - 1, scene));
  place.beat = Math.max(0, Math.min(sceneNow().beats.length - 1, beat));
  byId('scenes').scrollTop = 0;
  return show(plays);
}

// While the replay is on its way to the stop, a step on ends the way.
function on() {
  if (sectionOf(place.scene).classList.contains('waits')) return goTo(place.scene, place.beat, false);
  if (place.beat + 1 < sceneNow().beats.length) return goTo(place.scene, place.beat + 1, true);
  if (place.scene + 1 < scenes.length) return goTo(place.scene + 1, 0, true);
}
function back() {
  if (place.beat > 0) return goTo(place.scene, place.beat - 1, false);
  if (place.scene > 0) return goTo(place.scene - 1, scenes[place.scene - 1].beats.length - 1, false);
}

function stepBy(direction) {
  stopPairs();
  if (pairsNow()) return goToPair(pair + direction, direction > 0);
  replays()[0]?.stepBy(direction);
}
function playOrStop() {
  if (pairsNow()) {
    if (pairPlays) return stopPairs();
    if (pair + 1 >= pairsNow().length) goToPair(0);
    return playPairs(pairsNow().length - 1);
  }
  replays()[0]?.playOrStop();
  showPlaying();
}

function setTheme(light) {
  root.classList.toggle('light', light);
  byId('theme').textContent = light ? 'dark' : 'light';
  for (const replay of replays()) replay.setLight(light);
}
function setControls(all) {
  allControls = all;
  byId('controls').setAttribute('aria-pressed', all);
  for (const replay of replays()) replay.setControls(all);
}

// A choice of a prediction is marked, and the answer comes.
function choose(button) {
  if (!button || beatNow().kind !== 'prediction') return;
  const all = [...button.closest('.choices').querySelectorAll('button')];
  on();
  for (const each of all) each.className = each.dataset.right === '1' ? 'right' : each === button ? 'wrong' : '';
}
const choiceOf = (number) => sectionOf(place.scene).querySelectorAll('.choices button')[number];

const keys = {
  PageDown: on, PageUp: back, Home: () => goTo(0, 0), End: () => goTo(scenes.length - 1, 0),
  ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), ' ': playOrStop, Enter: () => goTo(place.scene, place.beat, false),
  t: () => setTheme(!isLight()), o: () => setControls(!allControls),
  1: () => choose(choiceOf(0)), 2: () => choose(choiceOf(1)), 3: () => choose(choiceOf(2)), 4: () => choose(choiceOf(3)),
};
// Keys of the replay's own page that a lesson leaves to it.
const kOfReplay = 'nNbBmMlL';

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target.tagName, pressed = (event.key === ' ' || event.key === 'Enter') && ['BUTTON', 'SUMMARY', 'A'].includes(tag);
  if (tag === 'SELECT' || pressed) return;
  const action = keys[event.key] || keys[event.key.toLowerCase()];
  const ofReplay = !action && kOfReplay.includes(event.key);
  if (!action && !ofReplay) return;
  event.preventDefault();
  event.stopPropagation();
  if (ofReplay) for (const replay of replays()) replay.press(event.key); else action();
}

function listen() {
  document.addEventListener('keydown', onKey);
  const onClick = { back, on, play: playOrStop, 'step-back': keys.ArrowLeft, 'step-on': keys.ArrowRight, again: keys.Enter, theme: keys.t, controls: keys.o };
  for (const [id, action] of Object.entries(onClick)) byId(id).addEventListener('click', () => action());
  byId('scene').addEventListener('change', (event) => { event.target.blur(); goTo(Number(event.target.value), 0); });
  for (const button of document.querySelectorAll('.choices button')) button.addEventListener('click', () => choose(button));
  // The answer opens at a click, too.
  for (const summary of document.querySelectorAll('summary')) summary.addEventListener('click', (event) => {
    if (!['question', 'prediction'].includes(beatNow().kind)) return;
    event.preventDefault();
    on();
  });
  window.addEventListener('hashchange', openAtHash);
  window.addEventListener('beforeprint', () => { for (const each of document.querySelectorAll('details')) each.open = true; });
  window.addEventListener('afterprint', showBlocks);
}

// Opens page.html#scene-3 at that scene.
function openAtHash() {
  const wanted = /^#scene-(\d+)$/.exec(window.location.hash);
  if (!wanted) return false;
  goTo(Number(wanted[1]) - 1, 0);
  return true;
}

// A browser that cannot unpack the replays shows the document.
if (typeof DecompressionStream === 'undefined') return;
const unpacked = unpack();
root.classList.add('live');
byId('theme').textContent = isLight() ? 'dark' : 'light';
byId('scene').replaceChildren(...scenes.map((scene, i) => new Option((i + 1) + ' ' + scene.title, i)));
listen();
if (!openAtHash()) goTo(lesson.opening, 0);
