import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadPrintTemplate, printCall, printResourceBody } from '../../src/printing/print-body.js';
import type { PrintTemplate, PrintValues } from '../../src/printing/print-body.js';

const VALUES: PrintValues = {
  documentId: '9001',
  shipmentId: 701,
  shipmentNumber: '10045',
  fileName: 'SHIPPING_LABEL_9001.pdf',
  deviceName: 'PACK-3',
  userId: 12,
  contextId: '550',
};
type Filling = Partial<PrintValues> & { readonly template: PrintTemplate };

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function templateFile(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'print-'));
  folders.push(folder);
  const file = join(folder, 'print-resource.json');
  await writeFile(file, content);
  return file;
}

describe('what is sent to print a label', () => {
  it('follows the shipped template', async () => {
    const template = await loadPrintTemplate('templates/ims/print-resource.json');
    expect(printCall({ mode: 'resource', template }, VALUES)).toEqual({
      invocation: 'printResource',
      body: {
        documentId: 9001,
        shipmentId: 701,
        fileName: 'SHIPPING_LABEL_9001.pdf',
        deviceName: 'PACK-3',
        userId: 12,
      },
    });
  });

  it('is the document alone in the mode "document"', () => {
    expect(printCall({ mode: 'document' }, VALUES)).toEqual({
      invocation: 'printDocument',
      body: { documentId: 9001 },
    });
  });

  it('is nothing in the mode "none"', () => {
    expect(printCall({ mode: 'none' }, VALUES)).toBeNull();
  });

  it.each<[string, Filling, object]>([
    ['sends an id as a number', { template: { id: '{{documentId}}' } }, { id: 9001 }],
    ['keeps an id that is no number', { template: { id: '{{documentId}}' }, documentId: 'd-1' }, { id: 'd-1' }],
    [
      'keeps an id too long for a number',
      { template: { id: '{{userId}}' }, userId: '90071992547409931' },
      { id: '90071992547409931' },
    ],
    ['keeps a shipment number of digits as text', { template: { n: '{{shipmentNumber}}' } }, { n: '10045' }],
    [
      'puts values into longer texts',
      { template: { t: '{{shipmentNumber}} of {{ contextId }}' } },
      { t: '10045 of 550' },
    ],
    [
      'leaves out what is not known',
      { template: { u: '{{userId}}', t: 'by {{userId}}', d: 1 }, userId: null },
      { d: 1 },
    ],
    [
      'looks into lists and objects',
      { template: { a: ['{{userId}}', { b: '{{fileName}}' }] }, userId: null },
      { a: [{ b: 'SHIPPING_LABEL_9001.pdf' }] },
    ],
    ['keeps everything else', { template: { n: 1, cut: true, tray: null } }, { n: 1, cut: true, tray: null }],
    ['does not fill in values twice', { template: { d: '{{deviceName}}' }, deviceName: '{{x}}' }, { d: '{{x}}' }],
  ])('%s', (_case, { template, ...values }, body) => {
    expect(printResourceBody(template, { ...VALUES, ...values })).toEqual(body);
  });
});

describe('a template of the print body is not accepted', () => {
  it.each([
    ['when it is not JSON', '{', /print-resource\.json: is not JSON/],
    ['when it is a list', '[]', /must be a JSON object/],
    [
      'with an unknown placeholder',
      '{"a": ["{{docId}}"]}',
      /unknown placeholder \{\{docId\}\}; known are documentId, /,
    ],
    [
      'with a placeholder in the name of a key, which would not be filled in',
      '{"documentId": "{{documentId}}", "tray": [{"n{{copies}}": 1}]}',
      /print-resource\.json: a placeholder in the name of a key is not filled in: "n\{\{copies\}\}"; write it as a value/,
    ],
  ])('%s', async (_case, content, message) => {
    await expect(loadPrintTemplate(await templateFile(content))).rejects.toThrow(message);
  });
});
