// Optional: hides the fields for the proof until the person edits the field that needs it.
for (const part of document.querySelectorAll('[data-edited]')) {
  const input = document.getElementById(part.dataset.edited);
  const show = () => {
    part.hidden = input.value === input.defaultValue;
  };
  show();
  input.addEventListener('input', show);
  // the browser has put back what was typed before the person left the page
  addEventListener('pageshow', show);
}
