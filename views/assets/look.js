// Enter in a search sends the search, and not the form around it.
for (const input of document.querySelectorAll('.look input')) {
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    input.nextElementSibling.click();
  });
}
