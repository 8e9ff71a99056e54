import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes, of which V8 uses half at a time: as much as it takes by itself on Node 20. */
const largest = 32 * 2 ** 20;
/** The part of the time in which the event loop of a process that needs a larger young generation has something to do. */
const busy = 0.2;

/**
 * By itself V8 doubles the young generation whenever enough objects survive, as all do that a start makes; so an idle process would hold
 * 32 MiB for nothing, and Node 24 up to 128 MiB under load. It grows only under load here. The flag has no effect on the command line.
 */
export function growUnderLoad(): void {
  let isGrowing = true;
  const allow = (isAllowed: boolean) => {
    if (isAllowed !== isGrowing) setFlagsFromString(`--semi-space-growth-factor=${isAllowed ? 2 : 1}`);
    isGrowing = isAllowed;
  };
  allow(false);
  let before = performance.eventLoopUtilization();
  const watch = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    allow(utilization > busy && youngGeneration() < largest);
  };
  setInterval(watch, 250).unref();
}

function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
