import type { PageSize, SimulatedLabel } from './label.js';

const MM_PER_INCH = 25.4;
const MARGIN_MM = 5;
/** Barcodes of so many dots for the thinnest bar are read by every scanner. */
const BAR_MM = 0.375;

/** Writes labels in the language of label printers: one `^XA … ^XZ` for each, in their order. */
export function zplLabels(labels: readonly SimulatedLabel[], { widthMm, heightMm }: PageSize, dpi: number): string {
  const dots = (mm: number) => Math.round((mm * dpi) / MM_PER_INCH);
  const line = (fromTopMm: number, sizeMm: number, text: string) =>
    `^FO${dots(MARGIN_MM)},${dots(fromTopMm)}^A0N,${dots(sizeMm)},${dots(sizeMm)}^FH^FD${escaped(text)}^FS`;
  const drawn = labels.map((label, index) => {
    const { carrierName, service, sender, recipient, trackingNumber, reference, weightGrams } = label;
    const facts = `${reference} | parcel ${index + 1} of ${labels.length} | ${(weightGrams / 1000).toFixed(3)} kg`;
    return [
      `^XA^CI28^PW${dots(widthMm)}^LL${dots(heightMm)}`,
      line(5, 7, carrierName),
      line(14, 3.5, service),
      ...['FROM', ...sender.slice(0, 4)].map((text, place) => line(20 + 3 * place, 2.5, text)),
      ...['TO', ...recipient.slice(0, 6)].map((text, place) => line(38 + 5 * place, 4.5, text)),
      line(85, 3, facts),
      `^BY${Math.max(1, dots(BAR_MM))}^FO${dots(MARGIN_MM)},${dots(98)}^BCN,${dots(24)},Y,N,N^FD${trackingNumber}^FS`,
      line(140, 2.5, 'SIMULATED LABEL - DO NOT SHIP'),
      '^XZ',
    ].join('\n');
  });
  return `${drawn.join('\n')}\n`;
}

/** Writes characters that would begin a command as their code (`^FH`). */
function escaped(text: string): string {
  return text.replace(/[_^~\\]/g, (mark) => `_${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
