import { afterEach, describe, expect, it } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import { closeAll, openSandbox, read } from './support.js';

afterEach(closeAll);

describe('the sandbox', () => {
  it('simulates every carrier of the list, each at its own address and with no bookings yet', async () => {
    const sandbox = await openSandbox({ carriers });
    for (const { adapter } of carriers) {
      expect(sandbox.carrierUrl(adapter.id)).toBe(`${sandbox.url}/carriers/${adapter.id}`);
      await read(await fetch(`${sandbox.carrierUrl(adapter.id)}/`));
      expect(sandbox.control.requests({ target: adapter.id })).toMatchObject([
        { path: '/', status: expect.any(Number) },
      ]);
      expect(sandbox.control.bookings(adapter.id)).toEqual([]);
    }
  });

  it('knows no other carrier', async () => {
    const sandbox = await openSandbox({ carriers });
    expect((await fetch(sandbox.carrierUrl('pigeon'))).status).toBe(404);
    expect(sandbox.control.bookings('pigeon')).toBeNull();
  });
});
