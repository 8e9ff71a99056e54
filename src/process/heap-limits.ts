import { setFlagsFromString } from 'node:v8';

/**
 * By default V8 grows the heap to 280 MiB under load, although 20 MiB are in use. These flags keep the process at 110 MiB:
 * the young generation, which holds what a request leaves behind, does not grow, and the old one is collected at 1.5 times
 * its live size. The first flag costs 4 to 35 % more CPU per request
 * (test/bench/README.md).
 */
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=50');
