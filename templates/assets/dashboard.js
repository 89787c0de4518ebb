// Live pages: what is swapped, and what the top bar says about it. Everything works without this file, by reloading.
const STALE_AFTER_MS = 10_000;
const live = document.getElementById('live');
let updatedAt = Date.now();

const clock = (time) => new Date(time).toLocaleTimeString('en-GB');
const region = () => document.querySelector('[data-live]');
const running = document.querySelector('.clock');
const written = running && inZone(running.dataset.zone);

/** As the page writes it: `Fri 27 Nov, 17:04 Copenhagen`. */
function inZone(timeZone) {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...options });
  const city = timeZone.split('/').at(-1).replaceAll('_', ' ');
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return `${parts.weekday} ${parts.day} ${parts.month}, ${parts.hour}:${parts.minute} ${city}`;
  };
}

function showTime() {
  const now = new Date();
  const words = written(now);
  if (running.textContent === words) return;
  running.textContent = words;
  running.dateTime = now.toISOString();
}

function showLive() {
  if (!live || !region()) return;
  const isStale = Date.now() - updatedAt > STALE_AFTER_MS;
  const words = isStale ? `Not live since ${clock(updatedAt)}` : 'Live';
  live.hidden = false;
  live.classList.toggle('warn', isStale);
  if (live.textContent !== words) live.textContent = words;
}

/** What has the focus, is pointed at, or is being copied, stays as it is. */
function isBusy(element) {
  const selection = window.getSelection();
  const isCopied = selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
  return isCopied || element.contains(document.activeElement) || element.querySelector('tr:hover') !== null;
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
if (running) setInterval(showTime, 1_000);
for (const choice of document.querySelectorAll('[data-send]'))
  choice.addEventListener('change', () => choice.form.requestSubmit());
