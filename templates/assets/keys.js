// Single keys. They do nothing in a field, can be switched off, and only ever open a page or a confirmation.
const MAY_TYPE = 'input:not([type="radio"]):not([type="checkbox"]), textarea, select';
const OFF = 'waybridge-keys-off';
/** After `g`. */
const PLACES = { t: '/', n: '/needs-a-person', c: '/consignments', p: '/parcels', a: '/carriers' };
const help = document.getElementById('keys');
const button = document.getElementById('keys-button');
const choice = help?.querySelector('input');
let wentFirst = false;
let lastTicked = null;

const isOff = () => window.localStorage.getItem(OFF) === 'yes';

/** The rows that can be walked through: each has something to focus. */
function rows() {
  const all = [...document.querySelectorAll('main tbody tr, main .cause-list li')];
  return all.filter((row) => row.offsetParent !== null && row.querySelector('a, button, input:not([type="hidden"])'));
}

const rowOf = (element) => element.closest('main tbody tr, main .cause-list li');

function walk(step) {
  const all = rows();
  const here = all.indexOf(rowOf(document.activeElement));
  const next = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : here + step];
  const open = next?.querySelector('[data-open]');
  (open ?? next?.querySelector('a, button, input:not([type="hidden"])'))?.focus();
}

function tick(row, upToHere) {
  const box = row?.querySelector('input[type="checkbox"]');
  if (!box) return;
  const all = rows();
  const [from, to] = [all.indexOf(lastTicked), all.indexOf(row)].sort((one, other) => one - other);
  box.checked = !box.checked;
  if (upToHere && from >= 0)
    for (const each of all.slice(from, to + 1).flatMap((one) => one.querySelector('input[type="checkbox"]') ?? []))
      each.checked = box.checked;
  lastTicked = row;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The confirmation of an action: of the focused row, else of the page. */
function ask(action) {
  const link = rowOf(document.activeElement)?.querySelector('a[href^="/consignments/"]');
  const ofPage = document.querySelector(`main a[href$="/${action}"]`);
  const review = action === 'retry' ? document.querySelector('form.retries [data-review]') : null;
  if (review) review.click();
  else if (ofPage) ofPage.click();
  else if (link) window.location.assign(`${link.getAttribute('href')}/${action}`);
}

const KEYS = {
  '/': () => document.querySelector('[role="search"] input')?.focus(),
  j: () => walk(1),
  k: () => walk(-1),
  x: () => tick(rowOf(document.activeElement), false),
  X: () => tick(rowOf(document.activeElement), true),
  r: () => ask('retry'),
  p: () => ask('reprint'),
  '?': () => help?.showModal(),
  Escape: () => document.querySelector('main .confirm a.button')?.click(),
};

document.addEventListener('keydown', (event) => {
  if (isOff() || event.target.closest(MAY_TYPE) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (help?.open) return;
  const place = wentFirst ? PLACES[event.key] : undefined;
  wentFirst = event.key === 'g';
  const act = place ? () => window.location.assign(place) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

if (button && help && choice) {
  button.hidden = false;
  button.addEventListener('click', () => help.showModal());
  choice.checked = !isOff();
  choice.addEventListener('input', () => window.localStorage.setItem(OFF, choice.checked ? 'no' : 'yes'));
}
