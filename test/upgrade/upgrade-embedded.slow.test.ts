import { describe, it } from '@jest/globals';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { BEHAVIOUR, finishesAll } from './finishes-all.js';

describe('an embedded database of the version before the tables were renamed', () => {
  it(BEHAVIOUR, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-upgrade-'));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    await finishesAll({ dataDir, environment: {}, open: () => openEmbedded(dataDir) });
    await rm(folder, { recursive: true, force: true });
  });
});
