#!/usr/bin/env node
import { interrupted, runCommandLine } from './cli/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), process);
// not even a statement that hangs keeps an interrupted process
if (process.exitCode === interrupted) process.exit();
