import test from 'node:test';
import { contractCases } from 'waybridge/adapter/testing';
import fjordpost from './index.js';

const simulator = await fjordpost.simulator();
for (const { name, run } of contractCases(fjordpost.adapter, { ...fjordpost.cases, simulator })) test(name, run);
