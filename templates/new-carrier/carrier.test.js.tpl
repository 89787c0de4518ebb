import test from 'node:test';
import { contractCases } from 'waybridge/adapter/testing';
import plugIn from './index.js';

for (const { name, run } of contractCases(plugIn.adapter, { simulator: await plugIn.simulator() })) test(name, run);
