import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, publicHttpsUrl } from '../../src/lib/public-address.ts';

const publicAddresses =
  '1.1.1.1 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.1 192.0.1.1 198.17.0.1 223.255.255.255'.split(' ');
const specialAddresses = [
  ...'0.0.0.0 10.0.0.5 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1'.split(' '),
  ...'192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255'.split(' '),
  ...':: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:1.1.1.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 fd00::5 fe80::1'.split(
    ' ',
  ),
  ...'ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1'.split(' '),
  ...['', 'localhost', '127.1', 'fe80::1%lo', '1.1.1.1 '],
];

test('tells addresses of the public internet from those of special networks', () => {
  for (const address of [...publicAddresses, '2600::44', '2a00:1450:4001::1'])
    assert.ok(isPublicAddress(address), address);
  for (const address of specialAddresses) assert.ok(!isPublicAddress(address), address);
});

const urls = [
  'https://client.example/oauth/client.json',
  'https://client.example/',
  'https://client.example:8443/a?b=c',
  'https://client.example:1024/a',
  'https://client.example:65535/a',
  'https://xn--pple-43d.example/client',
];

const hostile = [
  // addresses, however they are written
  ...'127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 ①②⑦.⓪.⓪.① 127.0.0.1. 0.0.0.0 [::1] [::] [::ffff:127.0.0.1]'.split(
    ' ',
  ),
  ...'[::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [fd00::5] [fe80::1] 1.1.1.1 [2600::44]'.split(
    ' ',
  ),
  // names that are not of the public DNS
  ...'localhost x.localhost db.internal host.docker.internal printer.local postgres client.example.'.split(' '),
  // other spellings of one site
  ...'CLIENT.example аррle.com user@client.example user:secret@client.example client.example:443 client..example'.split(
    ' ',
  ),
  ...'client.example\\@other.example client_.example -client.example% .example'.split(' '),
  ...[`${'x'.repeat(64)}.`.repeat(5), ''],
].map((host) => `https://${host}/client.json`);

const others = [
  'http://client.example/client.json',
  'HTTPS://client.example/client.json',
  'https://client.example',
  'https://client.example?a',
  'https://client.example/#',
  'https://client.example/a/../client.json',
  'https://client.example/%2e%2e/client.json',
  'https://client.example/a b',
  'https://client.example/\u202e',
  'https:/client.example/',
  'ftp://client.example/',
  'https://client.example/client.json\n',
];

test('accepts no port of another protocol: of those below 1024 only that of https', () => {
  for (const port of ['0', '00', '1', '22', '25', '80', '444', '1023', '65536', '99999999999', '08443']) {
    assert.equal(publicHttpsUrl(`https://client.example:${port}/a`), undefined, port);
  }
});

test('accepts one spelling of an https URL with a public host name, and no address [A337]', () => {
  for (const url of urls) assert.equal(publicHttpsUrl(url)?.href, url);
  for (const url of [...hostile, ...others]) assert.equal(publicHttpsUrl(url), undefined, url);
});
