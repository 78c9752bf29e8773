// What the page of a lesson (export/html/lesson) asks of this page, which it shows in a frame.
if (window.frameElement) {
  const kMostSeconds = 4;  // a way to a stop takes no longer
  let way = null;  // of playTo()
  const framed = (names) => {
    for (const figure of figures) {
      const { name, role } = figure.array;
      figure.element.classList.toggle('framed', names.some((wanted) => wanted === name || (wanted === role && !figure.shared)));
    }
    for (const [part, id] of [['banks', 'banks'], ['warps', 'warps']]) byId(id).classList.toggle('framed', names.includes(part));
  };
  window.replay = {
    tick: () => Math.floor(position.tick),
    lastTick: () => lastTick,
    isPlaying: () => position.playing || way !== null,
    seek: (tick, forward) => { way = null; stop(); seek(tick, forward); },
    stop: () => { way = null; stop(); },
    stepBy, playOrStop,
    conflictBy,
    press: (key) => keys[key]?.(),
    hasKey: (key) => key in keys,
    highlight: framed,
    // Plays up to a tick, then calls `arrived`. A second call, or another move, ends the way.
    playTo(tick, arrived) {
      const from = position.tick, seconds = Math.min(kMostSeconds, (tick - from) * kTickSeconds);
      stop();
      if (isStill() || seconds <= 0) { way = null; seek(tick); return arrived(); }
      const mine = way = { began: performance.now() };
      const frame = (now) => {
        if (way !== mine) return;
        const share = clamp((now - mine.began) / 1000 / seconds, 0, 1), before = position.tick;
        position.tick = share < 1 ? from + share * (tick - from) : tick;
        openBarrierBetween(before, position.tick);
        show();
        if (share < 1) return requestAnimationFrame(frame);
        way = null;
        arrived();
      };
      requestAnimationFrame(frame);
    },
    setLight(light) {
      if (document.documentElement.classList.contains('light') !== light) changeTheme();
    },
    // `all`: with source, counters and buttons.
    setControls(all) {
      document.documentElement.classList.toggle('embedded', !all);
      place();
    },
  };
  // A picture by bank shows the shared array of the request alone.
  const byBank = document.documentElement.classList.contains('banks');
  function place(step = position.step) {
    const figure = step < stepCount ? figures[steps.array[step]] : null;
    onlyFigure = !byBank || !isEmbedded() ? null : figure?.shared ? figure : onlyFigure || shared[0] || null;
    byId('shared').remove();
    placeFigures();
    for (const each of shared) each.byBank = byBank || each.byBank;
    showAll();
  }
  if (byBank) {
    afterStep = (step) => { if (isEmbedded() && step < stepCount && figures[steps.array[step]].shared && figures[steps.array[step]] !== onlyFigure) place(step); };
    place();
  }
}
