import { Unusable } from '../../label-unusable.js';
import type { Size } from '../matrix.js';

/**
 * Draws each label of a ZPL text as a PNG.
 * @param size in dots
 * @throws Unusable
 */
export async function drawZpl(zpl: string, size: Size): Promise<readonly Uint8Array[]> {
  const { api } = await loadZplDrawer();
  try {
    // With one dot for each mm, sizes are dots.
    const drawn = await api.zplToBase64MultipleAsync(zpl, size.width, size.height, 1);
    return drawn.map((png) => Buffer.from(png, 'base64'));
  } catch (cause) {
    throw new Unusable('is broken: its ZPL cannot be drawn', { cause });
  }
}

/** The library is large: a service that gets no ZPL never loads it. */
export async function loadZplDrawer() {
  const { ready } = await import('zpl-renderer-js');
  return await ready;
}
