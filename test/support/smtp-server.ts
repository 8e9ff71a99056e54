import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';

/** A mail as it arrived: the envelope, and what a mail program would show. */
export interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
  subject: string;
  text: string;
  html: string;
}

interface SmtpOptions {
  /** offers STARTTLS with this certificate */
  tls?: { cert: string; key: string };
  /** demands this user and password, once the connection is encrypted or without `tls` */
  auth?: [user: string, password: string];
}

/** `hang` says nothing to a new connection, `refuse` refuses every recipient for now, `unknown` for ever; `close` hangs up. */
type Mode = 'accept' | 'hang' | 'refuse' | 'unknown' | 'close';

/** A small mail server on loopback that keeps everything, and can be as broken as real ones are. */
export async function startSmtpServer({ tls, auth }: SmtpOptions = {}) {
  const mails: ReceivedMail[] = [];
  /** `slow`: recipients about which it says nothing at all */
  const state = {
    mode: 'accept' as Mode,
    connections: 0,
    commands: [] as string[],
    slow: undefined as RegExp | undefined,
  };
  const sockets = new Set<Socket>();

  function serve(socket: Socket, isEncrypted: boolean): void {
    let buffer = '';
    let isAuthenticated = auth === undefined;
    let [from, to, isData]: [string, string[], boolean] = ['', [], false];
    const say = (line: string) => socket.write(`${line}\r\n`);
    const answer = (line: string): void => {
      state.commands.push(line);
      const [verb = ''] = line.toUpperCase().split(' ');
      if (verb === 'EHLO') {
        const canAuth = auth && (isEncrypted || !tls);
        const extensions = [
          ...(tls && !isEncrypted ? ['STARTTLS'] : []),
          ...(canAuth ? ['AUTH PLAIN'] : []),
          '8BITMIME',
        ];
        say(
          ['250-mail.example', ...extensions.slice(0, -1).map((one) => `250-${one}`), `250 ${extensions.at(-1)}`].join(
            '\r\n',
          ),
        );
      } else if (verb === 'STARTTLS' && tls) {
        say('220 go ahead');
        socket.removeAllListeners('data');
        serve(
          new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) }).on('error', () => {}),
          true,
        );
      } else if (verb === 'AUTH') {
        const given = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        isAuthenticated = given[1] === auth?.[0] && given[2] === auth?.[1];
        say(isAuthenticated ? '235 welcome' : '535 5.7.8 wrong user or password');
      } else if (verb === 'MAIL') {
        from = /<(.*)>/.exec(line)?.[1] ?? '';
        to = [];
        say(isAuthenticated ? '250 ok' : '530 5.7.0 authenticate first');
      } else if (verb === 'RCPT') {
        if (state.slow?.test(line)) return;
        if (state.mode === 'refuse') return void say('451 4.7.1 try again later');
        if (state.mode === 'unknown') return void say('550 5.1.1 no such mailbox');
        to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        say('250 ok');
      } else if (verb === 'DATA') {
        isData = true;
        say('354 go on');
      } else if (verb === 'QUIT') say('221 bye');
      else say(verb === 'STARTTLS' ? '502 5.5.1 not here' : '250 ok');
    };
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      for (;;) {
        const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (!isData) answer(part);
        else {
          isData = false;
          // a line that begins with a dot is sent with another one before it [5321 §4.5.2]
          mails.push({ from, to, ...readMessage(part.replace(/^\./gm, '')) });
          say('250 2.0.0 kept');
        }
      }
    });
  }

  const server = createServer((socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    if (state.mode === 'hang') return;
    if (state.mode === 'close') return void socket.destroy();
    socket.write('220 mail.example ESMTP\r\n');
    serve(socket, false);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  after(() => {
    server.close();
    hangUp();
  });
  const { port } = server.address() as AddressInfo;
  const credentials = auth ? `${auth.map(encodeURIComponent).join(':')}@` : '';

  /** The next mail to this address that has not been asked for before. */
  const taken = new Set<ReceivedMail>();
  async function next(to: string, subject = /./, ms = 10_000): Promise<ReceivedMail> {
    for (const end = performance.now() + ms; performance.now() < end; await pause(20)) {
      const found = mails.find((mail) => mail.to.includes(to) && subject.test(mail.subject) && !taken.has(mail));
      if (!found) continue;
      taken.add(found);
      return found;
    }
    throw new Error(`no mail to ${to}; there are ${mails.map((mail) => mail.to.join()).join(' ')}`);
  }

  return { hangUp, url: `smtp://${credentials}127.0.0.1:${port}`, port, mails, state, next };
}

/** The part of a message that a test looks at, decoded. */
function readMessage(raw: string): Pick<ReceivedMail, 'raw' | 'subject' | 'text' | 'html'> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(head) ?? [];
  const parts = raw.split(`--${boundary}`).slice(1, -1).map(readPart);
  const of = (type: string) => parts.find((part) => part.type === type)?.content ?? '';
  return { raw, subject: decodeWords(subject), text: of('text/plain'), html: of('text/html') };
}

function readPart(part: string): { type: string; content: string } {
  const cut = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, cut), part.slice(cut + 4)];
  const [, type = ''] = /Content-Type: ([^;\s]+)/i.exec(head) ?? [];
  const [, encoding = ''] = /Content-Transfer-Encoding: (\S+)/i.exec(head) ?? [];
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? unquote(body)
        : Buffer.from(body, 'latin1');
  return { type, content: bytes.toString().replaceAll('\r\n', '\n') };
}

const unquote = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const decodeWords = (text: string) =>
  text
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      (how.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquote(word.replaceAll('_', ' '))).toString(),
    );

/** The address of the one link of a mail, which is the same in both of its parts. */
export function linkIn(mail: ReceivedMail): string {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  const inHtml = [...mail.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
  if (links.length !== 1 || links[0] !== inHtml[0] || inHtml.length !== 1) throw new Error(`${links} ${inHtml}`);
  return links[0] ?? '';
}
