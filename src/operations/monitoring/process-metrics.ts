import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HashingQueue } from '../../identity/hashing-queue.ts';
import type { Database } from '../../postgres/database.ts';
import { countedFamilies, type Family, gauge, type Sample } from '../../telemetry/metric.ts';

export interface ProcessSources {
  readonly database: Database;
  readonly hashingQueue: HashingQueue;
}

/** Returns the metrics that this process knows, without any input or output that could wait. */
export function processFamilies({ database, hashingQueue }: ProcessSources): Family[] {
  return [
    ...countedFamilies(),
    ...poolFamilies(database),
    gauge('latchkey_hashing_queue_length', 'Passwords that wait to be hashed.', hashingQueue.waiting()),
    eventLoopFamily(),
    ...resourceFamilies(),
  ];
}

function poolFamilies({ totalCount, idleCount, waitingCount }: Database): Family[] {
  const states = { busy: totalCount - idleCount, idle: idleCount };
  const samples = Object.entries(states).map(([state, value]): Sample => ({ labels: { state }, value }));
  return [
    gauge('latchkey_database_connections', 'Open database connections.', samples),
    gauge('latchkey_database_waiting_statements', 'Statements that wait for a connection.', waitingCount),
  ];
}

/** Milliseconds between two looks at the clock. */
const resolution = 20;
/** A histogram that runs a timer, so it is enabled when somebody asks for the first time. */
const eventLoopDelay = monitorEventLoopDelay({ resolution });

/** Returns how late timers were since the last time somebody asked. */
function eventLoopFamily(): Family {
  const { max, count } = eventLoopDelay;
  const seconds = { 50: eventLoopDelay.percentile(50), 99: eventLoopDelay.percentile(99), 100: max };
  const samples = Object.entries(seconds).map(([percentile, nanoseconds]): Sample => {
    // what is measured contains the time between two looks
    const delay = Math.max(0, nanoseconds / 1e9 - resolution / 1e3);
    return { labels: { percentile }, value: count === 0 ? 0 : delay };
  });
  eventLoopDelay.enable();
  eventLoopDelay.reset();
  return gauge('latchkey_event_loop_delay_seconds', 'Delay of timers since the last scrape.', samples, 'max');
}

/** Returns the resources of the process, under the names that all client libraries of Prometheus use. */
function resourceFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const cpu = [{ labels: {}, value: (user + system) / 1e6 }];
  const start = Math.round(performance.timeOrigin / 1000);
  const files = countOpenFiles();
  return [
    { name: 'process_cpu_seconds_total', type: 'counter', help: 'CPU time.', across: 'sum', samples: cpu },
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', heapUsed),
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', start, 'max'),
    ...(files === undefined ? [] : [gauge('process_open_fds', 'Open files and sockets.', files)]),
    gauge('latchkey_processes', 'Processes of this instance that answered.', 1),
  ];
}

/** Counts open files, on Linux only. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
