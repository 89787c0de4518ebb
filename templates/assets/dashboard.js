// Live pages: what is swapped, and what the top bar says about it. Everything works without this file, by reloading.
const STALE_AFTER_MS = 10_000;
const live = document.getElementById('live');
let updatedAt = Date.now();

const clock = (time) => new Date(time).toLocaleTimeString('en-GB');
const region = () => document.querySelector('[data-live]');

function showLive() {
  if (!live || !region()) return;
  const isStale = Date.now() - updatedAt > STALE_AFTER_MS;
  const words = isStale ? `Not live since ${clock(updatedAt)}` : 'Live';
  live.hidden = false;
  live.classList.toggle('warn', isStale);
  if (live.textContent !== words) live.textContent = words;
}

/** What has the focus, or is pointed at, stays as it is. */
function isBusy(element) {
  return element.contains(document.activeElement) || element.querySelector('tr:hover') !== null;
}

document.addEventListener('htmx:beforeRequest', (event) => {
  if (event.target.hasAttribute('data-live') && document.hidden) event.preventDefault();
});
document.addEventListener('htmx:beforeSwap', (event) => {
  if (event.detail.xhr.status !== 200) return;
  updatedAt = Date.now();
  const current = region();
  if (current && isBusy(current)) event.detail.shouldSwap = false;
  showLive();
});
setInterval(showLive, 1_000);
showLive();
