import test from 'node:test';
import { contractCases } from 'waybridge/adapter/testing';
import fjordpost from './index.js';

for (const { name, run } of contractCases(fjordpost.adapter, { simulator: await fjordpost.simulator() }))
  test(name, run);
