import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from '../../src/lib/common-passwords.ts';
import { passwordProblem } from '../../src/lib/password-rules.ts';

const config = { brand: { name: 'Photo Cloud' }, issuer: 'https://login.photos.example:8443/auth' };
const owner = { username: 'Ada.Lovelace', email: 'countess@engines.example', config };

test('a common password is refused in any case, and one that only contains it is not', () => {
  for (const password of ['password', '12345678', 'iloveyou1', 'QwertyUiop', 'TRUSTNO1']) {
    assert.equal(passwordProblem(password, owner), 'password_common', password);
  }
  for (const password of ['password of mine', '12345678 87654321', 'trustno1-but-me', 'correct horse battery']) {
    assert.equal(passwordProblem(password, owner), undefined, password);
  }
});

test('two neighbours of the list are no password of the list', () => {
  assert.ok(isCommonPassword('password1') && isCommonPassword('password10'));
  assert.ok(!isCommonPassword('password1 password10'));
  assert.ok(!isCommonPassword(''));
});

test('the names of the person and of this server are refused, however they are written', () => {
  for (const password of [
    'ada.lovelace',
    'ADA.LOVELACE',
    ' Ada.Lovelace ',
    'ａｄａ.lovelace',
    'Countess@engines.example',
    'countess',
    'photo cloud',
    'login.photos.example',
    'login.photos.example:8443',
    'https://login.photos.example:8443/auth',
  ]) {
    assert.equal(passwordProblem(password, owner), 'password_is_name', password);
  }
  assert.equal(passwordProblem('ada.lovelace and more', owner), undefined);
  assert.equal(passwordProblem('ada.lovelace', { config }), undefined, 'of somebody else');
  assert.equal(passwordProblem('          ', { username: null, email: null, config }), 'password_is_name');
});

test('a password of a person has 8 characters and 72 bytes, in whichever script', () => {
  assert.equal(passwordProblem('seven77', owner), 'password_too_short');
  assert.equal(passwordProblem('密码密码密码密', owner), 'password_too_short');
  assert.equal(passwordProblem('密码密码密码密码', owner), undefined);
  assert.equal(passwordProblem('ä'.repeat(37), owner), 'password_too_long');
  assert.equal(passwordProblem('ä'.repeat(36), owner), undefined);
});

test('a look-up costs no more than the wait for a disk', () => {
  const begun = process.cpuUsage();
  for (let number = 0; number < 1000; number += 1) isCommonPassword(`no such password ${number}`.replaceAll(' ', ''));
  const { user, system } = process.cpuUsage(begun);
  assert.ok((user + system) / 1000 < 1000, 'a millisecond each');
});
