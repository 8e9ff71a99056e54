import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';
import { after } from 'node:test';

/** Addresses and, for an alias, a name. */
type Records = readonly string[];

export interface NameServer {
  /** by host name; a function answers each question anew. Hosts that are not listed do not exist */
  readonly hosts: Map<string, Records | (() => Records)>;
  /** the names that were asked for */
  readonly asked: string[];
}

const types = { A: 1, CNAME: 5, AAAA: 28 };

/** The name server of a network of its own (test/support/network.ts). */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const nameServer: NameServer = { hosts: new Map(), asked: [] };
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    socket.send(answerTo(query, nameServer), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  after(() => socket.close());
  return nameServer;
}

/** A response message [1035 §4.1]. */
function answerTo(query: Buffer, { hosts, asked }: NameServer): Buffer {
  const { name, end } = readName(query, 12);
  const type = query.readUInt16BE(end);
  if (type === types.A) asked.push(name);
  const found = hosts.get(name.toLowerCase());
  const records = typeof found === 'function' ? found() : (found ?? []);
  const answers = records.filter((value) => typeOf(value) === type || typeOf(value) === types.CNAME);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, query.subarray(12, end + 4), ...answers.map(record)]);
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function typeOf(value: string): number {
  if (isIPv4(value)) return types.A;
  return isIPv6(value) ? types.AAAA : types.CNAME;
}

/** A record for the name of the question, to which the pointer at its beginning leads; nobody may remember the record. */
function record(value: string): Buffer {
  const data = { [types.A]: ipv4, [types.AAAA]: ipv6, [types.CNAME]: nameBytes }[typeOf(value)]?.(value) ?? Buffer.of();
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeOf(value), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const ipv4 = (address: string) => Buffer.from(address.split('.').map(Number));

function ipv6(address: string): Buffer {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address)?.[0];
  const plain = dotted ? address.replace(dotted, ipv4(dotted).toString('hex').replace(/^..../, '$&:')) : address;
  const [head = '', tail = ''] = plain.split('::');
  const [left, right] = [head, tail].map((half) => half.split(':').filter(Boolean));
  const groups = [
    ...(left ?? []),
    ...Array(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill('0'),
    ...(right ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}
