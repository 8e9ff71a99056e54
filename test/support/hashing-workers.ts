import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { createHashingQueue, memoryOfMachine } from '../../src/identity/hashing-queue.ts';
import { borrowHashingSlots, lendHashingSlots } from '../../src/operations/hashing-slots.ts';

// Three processes that hash at the same moment, on four slots, with memory for two hashes: a first one that dies with a slot in its hand, and two that
// hash six passwords each. The first process says how many of them hashed at once, and how many were hashed.

type Note = 'begin' | 'end' | 'holding' | 'done';

if (cluster.isPrimary) {
  lendHashingSlots(createHashingQueue(4, 60_000));
  let [now, most, hashed, done] = [0, 0, 0, 0];
  const holder = cluster.fork({ ROLE: 'holder' });
  cluster.on('message', (_worker, note: Note) => {
    if (note === 'holding') for (let count = 0; count < 2; count += 1) cluster.fork({ ROLE: 'hasher' });
    if (note === 'begin') {
      now += 1;
      most = Math.max(most, now);
      if (hashed === 0) holder.process.kill('SIGKILL');
      // all memory is taken, so that of the dead process was returned
      if (now === 2) for (const worker of Object.values(cluster.workers ?? {})) worker?.send('both');
    }
    if (note === 'end') [now, hashed] = [now - 1, hashed + 1];
    if (note === 'done') done += 1;
    if (done === 2) process.send?.({ most, hashed }, () => process.exit());
  });
} else {
  const queue = borrowHashingSlots();
  const tell = (note: Note) => process.send?.(note);
  const both = new Promise((resolve) => process.on('message', (message) => message === 'both' && resolve(true)));
  const hash = async () => {
    const leave = await queue.enter({ isKnown: false, prefix: '' }, memoryOfMachine / 2);
    tell('begin');
    await both;
    await pause(20);
    tell('end');
    leave();
  };
  if (process.env['ROLE'] === 'holder') {
    await queue.enter({ isKnown: true, prefix: '' }, memoryOfMachine / 2);
    tell('holding');
  } else {
    await Promise.all(Array.from({ length: 6 }, hash));
    tell('done');
  }
}
