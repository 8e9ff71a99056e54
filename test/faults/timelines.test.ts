// ci: kills and waits
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type pg from 'pg';
import { createHistory, type ServerState } from '../../src/postgres/server-state.ts';

const at = (timeline: number, system = 'one') => ({ is_standby: false, is_read_only: false, system, timeline });

test('a later timeline is never followed by an earlier one [F41]', () => {
  const history = createHistory();
  history.advance(at(2));
  history.advance(at(1));
  assert.deepEqual(history.latest(), at(2));
  assert.ok(history.isReplaced(at(1)));
});

test('who has moved to another cluster does not go back, not even to a later timeline [F41]', () => {
  const history = createHistory();
  for (const state of [at(2), at(1, 'two'), at(3)]) history.advance(state);
  assert.deepEqual(history.latest(), at(1, 'two'));
  assert.ok(history.isReplaced(at(3)));
  assert.ok(!history.isReplaced(at(1, 'two')));
  assert.ok(!history.isReplaced(at(1, 'three')));
});

test('a later timeline ends the connections to earlier ones, and no others [F41]', () => {
  const history = createHistory();
  const ended: string[] = [];
  const open = (name: string, state: ServerState) => {
    const client = new EventEmitter().on('error', () => ended.push(name)) as pg.Client;
    history.add(client, state);
    return client;
  };
  history.advance(at(1));
  open('of the old server', at(1));
  open('closed before', at(1)).emit('end');
  open('of the promoted server', at(2));
  history.advance(at(2));
  assert.deepEqual(ended, ['of the old server']);
});
