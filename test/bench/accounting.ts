import { readdirSync, readFileSync } from 'node:fs';

// What the kernel has on record [proc(5)]: of what lives to the nanosecond (schedstat), of what has ended in ticks. Ticks
// alone would not do: a connection that worked for 9 ms has worked for none.

const nanosecondsPerTick = 10_000_000;

interface Process {
  parent: number;
  /** nanoseconds of its children that have ended */
  ended: number;
}

function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>();
  for (const pid of numbersIn('/proc')) {
    const stat = read(`/proc/${pid}/stat`);
    // the name stands in parentheses and may contain both spaces and parentheses
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // cutime and cstime: fields 16 and 17, counted from the process id
    const ended = (Number(fields[13]) + Number(fields[14])) * nanosecondsPerTick;
    if (stat) processes.set(pid, { parent: Number(fields[1]), ended });
  }
  return processes;
}

/** CPU time of all threads of a process: V8 and libuv work on threads of their own. */
function cpuOf(pid: number): number {
  const times = numbersIn(`/proc/${pid}/task`).map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

function numbersIn(directory: string): number[] {
  try {
    return readdirSync(directory)
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
  } catch {
    return [];
  }
}

/** A process may end between the listing and the reading. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function treeOf(root: number, processes: Map<number, Process>): number[] {
  const children = [...processes].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return [root, ...children.flatMap((pid) => treeOf(pid, processes))];
}

/** Microseconds of CPU that each of these processes and their descendants have used so far. */
export function readCpu<Name extends string>(roots: Record<Name, number>): Record<Name, number> {
  const processes = readProcesses();
  const entries = Object.entries<number>(roots).map(([name, root]) => {
    const tree = root > 0 ? treeOf(root, processes) : [];
    const nanoseconds = tree.reduce((sum, pid) => sum + cpuOf(pid) + (processes.get(pid)?.ended ?? 0), 0);
    return [name, nanoseconds / 1000];
  });
  return Object.fromEntries(entries);
}

/** Resident memory in MiB of a process and its workers; pages they share with each other count once for each. */
export function readMemory(root: number): number {
  const kilobytes = treeOf(root, readProcesses()).map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}
