import test from 'node:test';
import { contractCases } from 'waybridge/adapter/testing';
import plugIn from './index.js';

const simulator = await plugIn.simulator();
for (const { name, run } of contractCases(plugIn.adapter, { ...plugIn.cases, simulator })) test(name, run);
