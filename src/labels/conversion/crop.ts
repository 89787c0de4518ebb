import { drawingsOf } from './draw-pdf.js';
import type { Box } from './matrix.js';
import { inkOf } from './raster.js';
import type { SeenPage } from './seen-page.js';
import { pointsOf } from './target.js';

/** Finds ink to a quarter of a millimetre. */
const DOTS_PER_POINT = 100 / 72;
const MAX_DOTS = 4_000_000;
/** Paper that stays around the ink, where the page has it. */
const MARGIN = pointsOf(2);

/** @returns the part of a page that has ink, in its seen coordinates; `null`: the page is empty */
export type FindInk = (page: number, seen: SeenPage) => Promise<Box | null>;

/** @param pdf the pages that are asked for; made once, when the first is asked for */
export function inkFinder(pdf: () => Promise<Uint8Array>): { readonly find: FindInk; readonly close: () => void } {
  let opened: Awaited<ReturnType<typeof drawingsOf>> | null = null;
  return {
    find: async (page, seen) => {
      opened ??= await drawingsOf(await pdf());
      const scale = Math.min(DOTS_PER_POINT, Math.sqrt(MAX_DOTS / (seen.width * seen.height)));
      const size = { width: Math.ceil(seen.width * scale), height: Math.ceil(seen.height * scale) };
      const ink = inkOf(await opened.draw(page, size));
      return ink === null ? null : withMargin(ink, { dots: size, seen });
    },
    close: () => opened?.close(),
  };
}

function withMargin(ink: Box, { dots, seen }: { dots: { width: number; height: number }; seen: SeenPage }): Box {
  const [across, up] = [seen.width / dots.width, seen.height / dots.height];
  const x = Math.max(0, ink.x * across - MARGIN);
  const y = Math.max(0, ink.y * up - MARGIN);
  const width = Math.min(seen.width, (ink.x + ink.width) * across + MARGIN) - x;
  const height = Math.min(seen.height, (ink.y + ink.height) * up + MARGIN) - y;
  return { x, y, width, height };
}
