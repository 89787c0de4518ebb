import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFString, StandardFonts, decodePDFRawStream, PDFRawStream } from 'pdf-lib';
import { assembleLabels } from '../../src/labels/assemble.js';
import { handWrittenPdf, label, pdfOf } from './pdfs.js';

const SCRIPT = "app.alert\\('hello'\\)";
const PROGRAM = `<< /S /JavaScript /JS (${SCRIPT}) >>`;
const SECOND = '<< /S /Launch /F (cmd.exe) >>';
const CONTENT = 'BT /F1 24 Tf 20 200 Td (PARCEL 4711) Tj ET 10 10 100 40 re f';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const DRAWING = stream(
  '<< /Type /XObject /Subtype /Form /BBox [0 0 80 30] /Length 39 >>',
  '0 0 80 30 re 0.5 g f 5 5 10 10 re 0 g f',
);

interface Parts {
  readonly catalog?: string;
  readonly page?: string;
  readonly more?: readonly (string | Buffer)[];
}

function stream(dict: string, data: string): string {
  return `${dict}\nstream\n${data}\nendstream`;
}

/** Objects 1 to 6: catalog, pages, page, content, font, a drawing; then more. */
function written({ catalog = '', page = '', more = [] }: Parts): Uint8Array {
  return handWrittenPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    stream(`<< /Length ${CONTENT.length} >>`, CONTENT),
    FONT,
    DRAWING,
    ...more,
  ]);
}

const FILE = [
  '<< /Type /Filespec /F (virus.exe) /EF << /F 8 0 R >> >>',
  stream('<< /Type /EmbeddedFile /Length 5 >>', 'MZMZM'),
];
const markOf = (rest: string) => `/Annots [<< /Type /Annot /Rect [100 100 180 130] ${rest} >>]`;

/** Adds objects behind the end, as a program that changes a file does. */
function changedLater(base: Uint8Array, objects: string): Uint8Array {
  return Buffer.concat([base, Buffer.from(`${objects}\ntrailer\n<< /Root 1 0 R /Size 20 >>\n%%EOF\n`, 'latin1')]);
}

/** Its objects are packed, those that act among them. */
async function packedInside(): Promise<Uint8Array> {
  const document = await PDFDocument.load(await pdfOf({ text: 'packed' }));
  document.catalog.set(PDFName.of('OpenAction'), document.context.obj({ S: 'JavaScript', JS: PDFString.of(SCRIPT) }));
  return document.save({ useObjectStreams: true });
}

async function encrypted(): Promise<Uint8Array> {
  const document = await PDFDocument.load(await packedInside());
  document.encrypt({ ownerPassword: 'owner-0001', userPassword: '' });
  return document.save();
}

/** An older form of the catalog that acts stands before the one that our library reads; a reader may go to either. */
function twoForms(): Uint8Array {
  const acting = Buffer.from(`\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction ${PROGRAM} >>\nendobj\n`, 'latin1');
  const [head, rest] = [Buffer.from('%PDF-1.7\n'), Buffer.from(written({})).subarray(9)];
  return Buffer.concat([head, acting, rest]);
}

/** An object that only a reader finds that does not begin where our library does. */
function insideAStream(): Uint8Array {
  const hidden = deflateSync(
    Buffer.from(`1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Open#41ction ${PROGRAM} >>\nendobj`),
  );
  const dict = `<< /Filter /FlateDecode /Length ${hidden.length} >>\nstream\n`;
  return written({ more: [Buffer.concat([Buffer.from(dict), hidden, Buffer.from('\nendstream')])] });
}

/** How a printer leaves one language for another. */
const PJL = Buffer.from('\x1b%-12345X@PJL SET COPIES=50\r\n', 'latin1');

const ACTING: readonly (readonly [string, () => Uint8Array | Promise<Uint8Array>])[] = [
  ['commands for a printer before it', () => Buffer.concat([PJL, written({})])],
  ['commands for a printer behind it', () => Buffer.concat([written({}), PJL])],
  ['commands of ZPL before it', () => Buffer.concat([Buffer.from('^XA^JUS^XZ~JR@PJL'), written({})])],
  ['a program when it is opened', () => written({ catalog: `/OpenAction ${PROGRAM}` })],
  ['a program when it is printed', () => written({ catalog: `/AA << /WP ${PROGRAM} >>` })],
  [
    'programs and files by name',
    () =>
      written({
        catalog: `/Names << /JavaScript << /Names [(a) ${PROGRAM}] >> /EmbeddedFiles << /Names [(virus.exe) 7 0 R] >> >>`,
        more: FILE,
      }),
  ],
  ['a program when its page is shown', () => written({ page: `/AA << /O ${PROGRAM} >>` })],
  ['a file that belongs to its page', () => written({ page: '/AF [7 0 R]', more: FILE })],
  [
    'a link to the web',
    () => written({ page: markOf('/Subtype /Link /Border [0 0 2] /A << /S /URI /URI (http://evil.example) >>') }),
  ],
  [
    'a link with names in other spelling',
    () => written({ page: markOf(`/Subtype /Link /Border [0 0 2] /#41 << /S /#4aava#53cript /#4AS (${SCRIPT}) >>`) }),
  ],
  ['a link that starts a program', () => written({ page: markOf(`/Subtype /Link /Border [0 0 2] /A ${SECOND}`) })],
  [
    'a link to another file',
    () => written({ page: markOf('/Subtype /Link /Border [0 0 2] /A << /S /GoToR /F (other.pdf) /D [0 /Fit] >>') }),
  ],
  [
    'a button that acts',
    () =>
      written({
        catalog: '/AcroForm << /Fields [] /XFA (<xdp/>) >>',
        page: markOf(`/Subtype /Widget /FT /Btn /F 4 /AP << /N 6 0 R >> /A ${PROGRAM} /AA << /U ${SECOND} >>`),
      }),
  ],
  [
    'a stamp that acts',
    () => written({ page: markOf(`/Subtype /Stamp /F 4 /AP << /N 6 0 R >> /AA << /E ${PROGRAM} >>`) }),
  ],
  [
    'a file pinned to the page',
    () => written({ page: markOf('/Subtype /FileAttachment /F 4 /AP << /N 6 0 R >> /FS 7 0 R'), more: FILE }),
  ],
  [
    'media',
    () =>
      written({
        page: markOf(
          '/Subtype /RichMedia /F 4 /AP << /N 6 0 R >> /RichMediaContent << /Assets << /Names [(virus.exe) 7 0 R] >> >>',
        ),
        more: FILE,
      }),
  ],
  ['actions in packed objects', packedInside],
  ['actions in encrypted objects', encrypted],
  [
    'actions that came with a later change',
    () => changedLater(written({}), `1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction ${PROGRAM} >>\nendobj`),
  ],
  ['an older form of an object that acts', twoForms],
  ['an object inside a stream', insideAStream],
];

const ACTS =
  /JavaScript|app\.alert|Launch|cmd\.exe|URI|GoToR|EmbeddedFile|virus|MZMZM|OpenAction|XFA|RichMedia|AcroForm|FileAttachment|@PJL|\/AA\b|\/EF\b/;

/** All that a file says, packed parts too. */
async function allOf(bytes: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(bytes);
  const objects = document.context
    .enumerateIndirectObjects()
    .map(([, object]) =>
      object instanceof PDFRawStream
        ? `${object.dict.toString()} ${Buffer.from(decodePDFRawStream(object).decode()).toString('latin1')}`
        : object.toString(),
    );
  return [Buffer.from(bytes).toString('latin1'), ...objects].join('\n');
}

/** Each page as a printer would draw it. */
function drawn(bytes: Uint8Array): readonly Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-drawn-'));
  try {
    writeFileSync(join(folder, 'label.pdf'), bytes);
    execFileSync('pdftoppm', ['-r', '50', '-png', 'label.pdf', 'page'], { cwd: folder, stdio: 'ignore' });
    return readdirSync(folder)
      .filter((file) => file.endsWith('.png'))
      .sort()
      .map((file) => readFileSync(join(folder, file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hasPdftoppm = (() => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!hasPdftoppm) process.stderr.write('what acting labels print: skipped, no pdftoppm was found on this machine\n');

describe('a label with something that acts', () => {
  it.each(ACTING)('loses %s, alone and among others, and says nothing of it any more', async (_case, make) => {
    const acting = label(await make());
    const other = label(await pdfOf({ text: 'other' }));
    for (const labels of [[acting], [other, acting]]) {
      const { bytes, pages } = await assembleLabels(labels);
      expect(pages).toBe(labels.length);
      expect(await allOf(bytes)).not.toMatch(ACTS);
    }
  });

  (hasPdftoppm ? it : it.skip).each(ACTING)('is printed as before, without %s', async (_case, make) => {
    const before = await make();
    const { bytes } = await assembleLabels([label(before)]);
    const [page, ...more] = drawn(before);
    expect(more).toEqual([]);
    expect(page?.length).toBeGreaterThan(0);
    expect(drawn(bytes)[0]?.equals(page ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('a label is refused with words', () => {
  it.each<[string, Parts, RegExp]>(
    [
      [
        'an attached file without a drawing is to be printed',
        { page: markOf('/Subtype /FileAttachment /F 4 /FS 7 0 R'), more: FILE },
        /only another program could draw/,
      ],
      ['its drawing holds a file', { page: '', more: [], catalog: '' }, /a file inside its drawing/],
      ['its drawing comes from another file', { more: [] }, /from another file/],
    ].map(([what, parts, words], place) => {
      const inside = ['', '/AF [8 0 R]', '/F (other.bin)'][place] ?? '';
      const form = stream(`<< /Type /XObject /Subtype /Form /BBox [0 0 80 30] ${inside} /Length 0 >>`, '');
      const resources = '/Resources << /XObject << /X 7 0 R >> >>';
      const files = [
        '<< /Type /Filespec /EF << /F 9 0 R >> >>',
        stream('<< /Type /EmbeddedFile /Length 5 >>', 'MZMZM'),
      ];
      return [what, place === 0 ? parts : { page: resources, more: [form, ...files] }, words] as [
        string,
        Parts,
        RegExp,
      ];
    }),
  )('where %s', async (_case, parts, words) => {
    await expect(assembleLabels([label(written(parts))])).rejects.toThrow(words);
  });
});

it('hands on byte by byte what only draws, whatever made it', async () => {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.HelveticaBold);
  document.addPage([283, 425]).drawText('JavaScript URI Launch', { x: 10, y: 10, font });
  for (const useObjectStreams of [true, false]) {
    const bytes = await document.save({ useObjectStreams });
    expect(Buffer.compare((await assembleLabels([label(bytes)])).bytes, bytes)).toBe(0);
  }
  const plain = written({});
  expect(Buffer.compare((await assembleLabels([label(plain)])).bytes, plain)).toBe(0);
});
