import { PDFContext, PDFRawStream, decodePDFRawStream } from 'pdf-lib';

/** One unpacked part of a PDF; those of a label's objects have some kilobytes. */
const MAX_UNPACKED_BYTES = 64_000_000;
const GROW = 'ensureBuffer';

/**
 * From now on the PDF library stops unpacking where a part of a file becomes too large, however it is packed (Flate,
 * LZW, run lengths, one inside the other) and also where it was encrypted, so that it could not be checked before. The
 * library has no setting for it, and memory of this kind is not counted as heap; all its decoders grow by one inherited
 * method, and that is wrapped.
 * @throws Error when the library is not built like that any more
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
