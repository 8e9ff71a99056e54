import cluster from 'node:cluster';
import { createHashingQueue } from '../../src/identity/hashing-queue.ts';
import { borrowHashingSlots, lendHashingSlots } from '../../src/operations/hashing-slots.ts';

// Two processes that hash with one slot. The first enters and hangs, until the second has the slot; then it gives back what it
// has no longer, and asks for the slot again, which must wait for the second. The primary process says who had it in which order.

type Note = 'first' | 'second' | 'given back' | 'third';

if (cluster.isPrimary) {
  lendHashingSlots(createHashingQueue(1, 60_000), 300);
  const order: Note[] = [];
  const hanging = cluster.fork({ ROLE: 'hanging' });
  let next = hanging;
  cluster.on('message', (_worker, note: Note) => {
    if (['first', 'second', 'third'].includes(note)) order.push(note);
    if (note === 'first') next = cluster.fork({ ROLE: 'next' });
    if (note === 'second') hanging.send('give back');
    if (note === 'given back') next.send('leave');
    if (note === 'third') process.send?.(order, () => process.exit());
  });
} else {
  const queue = borrowHashingSlots();
  const asker = { isKnown: true, prefix: '' };
  const tell = (note: Note) => process.send?.(note);
  const told = (what: string) =>
    new Promise((resolve) => process.on('message', (message) => message === what && resolve(true)));
  if (process.env['ROLE'] === 'hanging') {
    const mayGiveBack = told('give back');
    const leave = await queue.enter(asker);
    tell('first');
    await mayGiveBack;
    leave();
    const again = queue.enter(asker);
    tell('given back');
    (await again)();
    tell('third');
  } else {
    const mayLeave = told('leave');
    const leave = await queue.enter(asker);
    tell('second');
    await mayLeave;
    leave();
  }
}
