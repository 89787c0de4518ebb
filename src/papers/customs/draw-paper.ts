import { drawCommercialInvoice } from './commercial-invoice.js';
import type { CustomsPaper } from './customs-paper.js';
import { drawCn22, drawCn23 } from './postal-declaration.js';

/** @returns a PDF; the same paper always gives the same bytes */
export function drawPaper(paper: CustomsPaper): Promise<Uint8Array> {
  switch (paper.kind) {
    case 'commercial-invoice':
      return drawCommercialInvoice(paper);
    case 'cn22':
      return drawCn22(paper);
    case 'cn23':
      return drawCn23(paper);
  }
}
