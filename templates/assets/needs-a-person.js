// Sums up the answers while they are given. Without this file the review says the same.
const answers = document.querySelector('form.answers');
const retries = document.querySelector('form.retries');

/** Only what changes is written: a reader of screens is told each change. */
function say(form, html, button) {
  const sum = form.querySelector('[data-sum]');
  const review = form.querySelector('[data-review]');
  const text = html.map(([number, words]) => (number === null ? words : `${number} ${words}`)).join(' · ');
  if (sum && sum.textContent !== text) {
    sum.replaceChildren(
      ...html.flatMap(([number, words], place) => {
        const bold = document.createElement('b');
        bold.textContent = number === null ? '' : `${number} `;
        return [...(place > 0 ? [' · '] : []), bold, words];
      }),
    );
  }
  if (review) review.textContent = button;
}

function sumUpAnswers() {
  const rows = [...answers.querySelectorAll('tr[data-booking]')];
  const count = (value) => rows.filter((row) => row.querySelector(`input[value="${value}"]:checked`)).length;
  const lacking = rows.filter((row) => {
    const isBooked = row.querySelector('input[value="booked"]:checked') !== null;
    const empty = [...row.querySelectorAll('.numbers input:not([type="hidden"], [data-optional])')].filter(
      (each) => each.value.trim() === '',
    );
    for (const each of row.querySelectorAll('.numbers input'))
      each.classList.toggle('lacking', isBooked && empty.includes(each));
    return isBooked && empty.length > 0;
  });
  const [there, notThere, givenUp] = ['booked', 'not-booked', 'give-up'].map(count);
  const answered = there + notThere + givenUp;
  const parts = [
    [there, `at ${answers.dataset.carrier}: numbers go to the IMS`],
    [notThere, 'not there: booked again'],
    [givenUp, 'given up'],
    [rows.length - answered, 'stay open'],
  ];
  if (lacking.length > 0)
    parts.push([lacking.length, lacking.length === 1 ? 'lacks its number' : 'lack their numbers']);
  const words = answered === 1 ? '1 answer' : `${answered} answers`;
  say(answers, parts, answered === 0 ? 'Review the answers…' : `Review ${words}…`);
}

const boxesOf = () => [...retries.querySelectorAll('tbody input[type="checkbox"]')];
/** Chooses all, or none. */
const all = retries?.querySelector('[data-all]');

function sumUpRetries() {
  const boxes = boxesOf();
  const chosen = boxes.filter((box) => box.checked).length;
  const words = chosen === 1 ? 'Retry 1 booking…' : `Retry ${chosen} bookings…`;
  say(retries, [[chosen, `of ${boxes.length} chosen`]], chosen === 0 ? 'Retry…' : words);
  retries.querySelector('[data-review]').disabled = chosen === 0;
  if (!all) return;
  const box = all.querySelector('input');
  box.checked = chosen === boxes.length;
  box.indeterminate = chosen > 0 && chosen < boxes.length;
}

if (all) {
  all.hidden = false;
  all.addEventListener('input', (event) => {
    for (const box of boxesOf()) box.checked = event.target.checked;
  });
}

for (const [form, sumUp] of [
  [answers, sumUpAnswers],
  [retries, sumUpRetries],
]) {
  if (!form?.querySelector('[data-sum]')) continue;
  form.addEventListener('input', sumUp);
  sumUp();
}

// A table is read as soon as it is chosen.
const upload = answers?.querySelector('.upload');
const fill = answers?.querySelector('[data-fill]');
if (upload && fill) {
  upload.classList.add('button');
  upload.querySelector('span').classList.remove('unseen');
  upload.querySelector('input').classList.add('unseen');
  upload.addEventListener('change', () => answers.requestSubmit(fill));
  fill.hidden = true;
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input:not([type="radio"]), select'))
    return;
  const place = ['1', '2', '3'].indexOf(event.key);
  const radios = event.target.closest('tr[data-booking]')?.querySelectorAll('input[type="radio"]') ?? [];
  const radio = radios[place];
  if (!radio || radio.disabled) return;
  radio.checked = true;
  radio.focus();
  sumUpAnswers();
});
