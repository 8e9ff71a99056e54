// Optional: every page works without this script.
for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

for (const button of document.querySelectorAll('button[data-reveal]')) {
  const input = document.getElementById(button.dataset.reveal);
  if (!input) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    const shown = input.type === 'text';
    input.type = shown ? 'password' : 'text';
    button.textContent = shown ? label : button.dataset.done;
    button.setAttribute('aria-pressed', String(!shown));
    input.focus();
  });
  // A password manager must find a password field, and no browser should remember the password as text.
  input.form.addEventListener('submit', () => {
    input.type = 'password';
  });
}

// Shows times in the time zone of the reader; the server, which does not know it, writes UTC.
const locale = document.documentElement.lang.replace(/^en$/, 'en-GB');
const styles = {
  date: { dateStyle: 'long' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  second: { dateStyle: 'medium', timeStyle: 'long' },
};
for (const time of document.querySelectorAll('time[data-show]')) {
  time.textContent = new Intl.DateTimeFormat(locale, styles[time.dataset.show]).format(new Date(time.dateTime));
}

// When the window comes to the front, a click that was meant for another window must not allow anything.
addEventListener('focus', () => {
  for (const button of document.querySelectorAll('.armed')) {
    for (const animation of button.getAnimations()) animation.play();
    if (button.getAnimations().length === 0) {
      button.classList.remove('armed');
      void button.offsetWidth;
      button.classList.add('armed');
    }
  }
});
