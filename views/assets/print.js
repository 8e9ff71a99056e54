// Optional: without this script the button stays hidden, and browsers print by themselves.
for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
