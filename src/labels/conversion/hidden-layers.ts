import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFRef } from 'pdf-lib';

/*
 * Layers (optional content, PDF 1.7, 8.11). Which of them are hidden stands in the document's catalog, which is not copied with
 * its pages: what is hidden in a label would be printed where it is one of several, or made for a printer.
 */

/** A key of our own in a hidden layer, from its document to the one that it is copied into. */
const HIDDEN = PDFName.of('WaybridgeHidden');
const name = (text: string) => PDFName.of(text);

/** Marks the hidden layers of a document. */
export function markHidden({ catalog, context }: PDFDocument): void {
  const layers = catalog.lookup(name('OCProperties'));
  const settings = layers instanceof PDFDict ? layers.lookup(name('D')) : undefined;
  if (!(layers instanceof PDFDict) || !(settings instanceof PDFDict)) return;
  const areShown = settings.lookup(name('BaseState')) !== name('OFF');
  const others = refsIn(settings.lookup(name(areShown ? 'OFF' : 'ON')));
  const hidden = areShown ? others : refsIn(layers.lookup(name('OCGs'))).filter((layer) => !others.includes(layer));
  for (const layer of hidden) {
    const dict = context.lookup(layer);
    if (dict instanceof PDFDict) dict.set(HIDDEN, context.obj(true));
  }
}

/** Whether it, such as the `OC` of a mark, is a hidden layer. */
export function isHidden(layer: PDFObject | undefined): boolean {
  return layer instanceof PDFDict && layer.has(HIDDEN);
}

/** Hides marked layers in a document that pages were copied into. */
export function hideMarked({ catalog, context }: PDFDocument): void {
  const layers = context
    .enumerateIndirectObjects()
    .flatMap(([ref, dict]) =>
      dict instanceof PDFDict && dict.get(name('Type')) === name('OCG') ? [{ ref, dict }] : [],
    );
  const hidden = layers.filter(({ dict }) => dict.delete(HIDDEN));
  if (hidden.length === 0) return;
  const settings = { OFF: hidden.map(({ ref }) => ref) };
  catalog.set(name('OCProperties'), context.obj({ OCGs: layers.map(({ ref }) => ref), D: settings }));
}

function refsIn(list: unknown): readonly PDFRef[] {
  return list instanceof PDFArray ? list.asArray().filter((one) => one instanceof PDFRef) : [];
}
