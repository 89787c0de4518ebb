// Copies the chosen request. Without this file the text stands below "As curl".
const copyButton = document.querySelector('[data-copy]');
const copied = document.getElementById('copied');

/** Where the browser lets no script copy, the text is shown and selected. */
function select(text) {
  text.closest('details').open = true;
  window.getSelection()?.selectAllChildren(text);
  copied.textContent = 'Selected: copy it with your keyboard';
}

async function copy() {
  const text = document.getElementById(copyButton.dataset.copy);
  try {
    await window.navigator.clipboard.writeText(text.textContent);
    copied.textContent = 'Copied';
  } catch {
    select(text);
  }
}

if (copyButton) {
  copyButton.hidden = false;
  copyButton.addEventListener('click', () => void copy());
  let before = '';
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select') !== null;
    // `g` and then `c` goes to the consignments.
    const isAlone = before !== 'g' && !event.ctrlKey && !event.metaKey && !event.altKey;
    before = event.key;
    if (event.key === 'c' && isAlone && !isTyping) void copy();
  });
}
