// Optional: says in words how strong a new password is, while it is typed. The server refuses common passwords by the same list.
const isCommon = (password, list) => !/\s/.test(password) && list.includes(` ${password.toLowerCase()} `);

function strengthOf(password, list) {
  const codes = [...password].map((character) => character.codePointAt(0));
  if (codes.length < 8) return 'short';
  if (new TextEncoder().encode(password).length > 72) return 'long';
  if (isCommon(password, list)) return 'common';
  // a character that repeats or continues the one before it adds little to what somebody has to guess
  const telling = codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]) > 1).length;
  if (telling < 9 || isCommon(password.replace(/[\d\W_]+$/, ''), list)) return 'weak';
  return telling < 14 ? 'fair' : 'strong';
}

for (const input of document.querySelectorAll('input[data-common]')) {
  const said = document.getElementById(`${input.id}-strength`);
  const texts = JSON.parse(said.dataset.texts);
  let list;
  input.addEventListener('input', async () => {
    list ??= import(input.dataset.common).then((module) => module.default);
    const common = await list.catch(() => ' ');
    const strength = input.value === '' ? undefined : strengthOf(input.value, common);
    said.dataset.strength = strength ?? '';
    said.textContent = strength === undefined ? '' : texts[strength];
  });
}
