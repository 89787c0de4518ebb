import { PDFContext, PDFRawStream, decodePDFRawStream } from 'pdf-lib';

/** Most bytes of one unpacked stream of a PDF. The streams of a label have some kilobytes. */
const MAX_UNPACKED_BYTES = 64_000_000;
const GROW = 'ensureBuffer';

/**
 * From now on the PDF library stops unpacking a stream that becomes too large, with every filter (Flate, LZW, run lengths,
 * nested ones) and also in encrypted files, which cannot be checked before. The library has no setting for this, and V8
 * does not count such memory as heap. All decoders of the library grow by one inherited method, which this wraps.
 * @throws Error when the library has no such method any more
 */
export function boundDecoding(): void {
  const owner = ownerOf(GROW, decodePDFRawStream(anyStream()));
  const grow: unknown = Reflect.get(owner, GROW);
  if (typeof grow !== 'function') throw new Error('the PDF library unpacks in another way now');
  Object.defineProperty(owner, GROW, {
    configurable: true,
    value: function bounded(this: unknown, wantedBytes: number): unknown {
      if (wantedBytes > MAX_UNPACKED_BYTES) throw new Error('a part is too large when it is unpacked');
      return Reflect.apply(grow, this, [wantedBytes]);
    },
  });
}

function anyStream(): PDFRawStream {
  return PDFRawStream.of(PDFContext.create().obj({ Filter: 'ASCIIHexDecode' }), new Uint8Array());
}

function ownerOf(method: string, instance: object): object {
  for (let at: object | null = instance; at !== null; at = Reflect.getPrototypeOf(at)) {
    if (Object.hasOwn(at, method)) return at;
  }
  throw new Error(`the PDF library has no ${method} any more`);
}
