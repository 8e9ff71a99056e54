#!/usr/bin/env node
import './node-version.ts';

// loaded after the look at the version: an older Node cannot even link these files
const { interrupted, runCommandLine } = await import('./cli/command-line.ts');

process.exitCode = await runCommandLine(process.argv.slice(2), process);
// not even a statement that hangs keeps an interrupted process
if (process.exitCode === interrupted) process.exit();
