// Optional: opens the program in the language that was chosen last.
const summaries = [...document.querySelectorAll('details[name] > summary')];
const languageOf = (summary) => summary.textContent.split(':')[0];
const chosen = summaries.find((summary) => languageOf(summary) === sessionStorage.language);
if (chosen) chosen.parentElement.open = true;
for (const summary of summaries) {
  summary.addEventListener('click', () => {
    sessionStorage.language = languageOf(summary);
  });
}
