import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import { LANGUAGES, MESSAGES } from '../../src/messages/keys.js';
import type { MessageKey, MessageValues } from '../../src/messages/keys.js';
import { type Messages, type Readers, loadMessages } from '../../src/messages/messages.js';

const SHIPPED = 'templates/ims';
const EN: Readers = { language: 'en', bookOn: 'transport-booking' };
const DA: Readers = { language: 'da', bookOn: 'transport-booking' };
let messages: Messages;
beforeAll(async () => {
  messages = await loadMessages(SHIPPED);
});
const refused = { shipmentNumber: '10045', carrier: 'Nord Parcel', problems: 'postcode 00000 does not exist' };
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A copy of the shipped texts with one change. */
async function changed(file: string, change: (text: string) => string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messages-'));
  folders.push(folder);
  await Promise.all(
    LANGUAGES.map((each) => copyFile(`${SHIPPED}/messages.${each}.yaml`, `${folder}/messages.${each}.yaml`)),
  );
  await writeFile(join(folder, file), change(await readFile(join(folder, file), 'utf8')));
  return folder;
}

function valuesOf(key: MessageKey): MessageValues<MessageKey> {
  return Object.fromEntries(MESSAGES[key].values.map((name) => [name, `<${name}>`])) as MessageValues<MessageKey>;
}

it.each(LANGUAGES)('no text names a carrier of itself: packers of another one read it too (%s)', async (language) => {
  const texts = await readFile(`${SHIPPED}/messages.${language}.yaml`, 'utf8');
  const named = carriers.map(({ adapter }) => adapter.name).filter((name) => new RegExp(`\\b${name}\\b`).test(texts));
  expect(named).toEqual([]);
});

it.each(LANGUAGES)('each text quotes a problem, which has the words of another system (%s)', async (language) => {
  const texts = await readFile(`${SHIPPED}/messages.${language}.yaml`, 'utf8');
  expect(texts.match(/.*(?<!")\{problems?\}.*|.*\{problems?\}(?!").*/g)).toBeNull();
});

it.each([
  ['en', /.*\bIMS\b.*/g],
  ['da', /.*\b(IMS|[Pp]rint)\b(?![-:]).*/g],
])('each text has the words of a packer (%s)', async (language, ours) => {
  expect((await readFile(`${SHIPPED}/messages.${language}.yaml`, 'utf8')).match(ours)).toBeNull();
});

describe('a text', () => {
  it('says in English what was tried, what came back and what to do', () => {
    expect(messages.text(EN, 'refused', refused)).toBe(
      'Could not book shipment 10045 with Nord Parcel. Nord Parcel says: "postcode 00000 does not exist". ' +
        'Correct the shipment and create the transport booking again.',
    );
  });

  it('says the same in Danish', () => {
    expect(messages.text(DA, 'refused', refused)).toBe(
      'Forsendelse 10045 kunne ikke bookes hos Nord Parcel. Nord Parcel svarer: "postcode 00000 does not exist". ' +
        'Ret forsendelsen, og opret transportbookingen igen.',
    );
  });

  it.each(['gave-up', 'gave-up-limit'] as const)(
    'says for %s that this booking has booked nothing, not the shipment',
    (key) => {
      const about = { shipmentNumber: '10045', carrier: 'Nord Parcel', minutes: 30 };
      expect(messages.text(EN, key, about)).toContain('stopped trying, and this transport booking has booked nothing.');
      expect(messages.text(DA, key, about)).toContain('prøver ikke mere, og denne transportbooking har intet booket.');
    },
  );

  it('does not say that nothing is booked where an earlier run may have booked parcels, and the IMS does not answer', () => {
    const about = { shipmentNumber: '10045', minutes: 30 };
    expect(messages.text(EN, 'gave-up-ims', about)).toContain('have booked nothing in that time');
    expect(messages.text(DA, 'gave-up-ims', about)).toContain('har intet booket i den tid');
  });

  it.each(LANGUAGES.flatMap((language) => Object.keys(MESSAGES).map((key) => [language, key as MessageKey] as const)))(
    'is there in "%s" for %s, with all its values, on one line',
    (language, key) => {
      const text = messages.text({ language, bookOn: 'transport-booking' }, key, valuesOf(key));
      MESSAGES[key].values.forEach((name) => expect(text).toContain(`<${name}>`));
      expect(text).not.toMatch(/[{}\n]/);
      expect(text.length).toBeLessThan(500);
    },
  );

  it.each<MessageKey>([
    'waiting-ims',
    'waiting-ims-key',
    'waiting-ims-client',
    'waiting-new-day',
    'waiting-carrier',
    'waiting-carrier-in-doubt',
    'waiting-in-doubt',
    'waiting-limit',
    'waiting-account',
    'person-needed',
    'person-needed-by-number',
    'label-missing',
    'write-back-failed',
    'found-unmatched',
    'number-unusable',
    'number-twice',
    'number-taken',
    'number-other-request',
    'print-failed',
    'internal-error',
  ])('for %s warns against booking again', (key) => {
    expect(messages.text(EN, key, valuesOf(key))).toContain('Do not create the transport booking again');
    expect(messages.text(DA, key, valuesOf(key))).toContain('Opret ikke transportbookingen igen');
  });

  it.each(Object.keys(MESSAGES) as MessageKey[])(
    'for %s names no transport booking to people who book by a delivery note',
    (key) => {
      const texts = LANGUAGES.map((language) =>
        messages.text({ language, bookOn: 'delivery-note' }, key, valuesOf(key)),
      );
      expect(texts.join(' ')).not.toMatch(/transport ?booking/i);
    },
  );

  it('tells people who book by a delivery note to create that again', () => {
    const [en, da] = LANGUAGES.map((language) =>
      messages.text({ language, bookOn: 'delivery-note' }, 'refused', refused),
    );
    expect(en).toContain('Correct the shipment and create the delivery note again.');
    expect(da).toContain('opret følgesedlen igen.');
  });

  it('says for a cancellation that met an internal error that it may still be booked, and what to do', () => {
    const key = 'cancel-internal-error';
    expect(messages.text(EN, key, valuesOf(key))).toMatch(/may still be booked as <numbers>\. Look in the portal/);
    expect(messages.text(DA, key, valuesOf(key))).toMatch(/kan stadig være booket som <numbers>\. Se efter i portalen/);
  });

  it.each([
    [EN, /^Parcels of shipments 10045, 10046 .* are on no manifest: .* on a sheet of paper where there is none\.$/],
    [DA, /^Pakker i forsendelserne 10045, 10046 .* ikke med på nogen afhentningsliste: .* hvis der ingen liste er\.$/],
  ])(
    'about a late booking is true where other parcels are on the manifest, and where there is none: %j',
    (readers, said) => {
      const values = { shipments: '10045, 10046', document: '700' };
      expect(messages.text(readers, 'late-for-manifest', values)).toMatch(said);
    },
  );

  it('shows what a carrier says as it is, braces and all', () => {
    const said = messages.text(EN, 'refused', { ...refused, problems: 'field {carrier} is $& wrong' });
    expect(said).toContain('"field {carrier} is $& wrong"');
  });

  it('is not shown with a hole in it, but says that another version wrote it', () => {
    const incomplete = { shipmentNumber: '10045', carrier: 'Nord Parcel' } as MessageValues<'refused'>;
    expect(messages.text(EN, 'refused', incomplete)).toBe(
      'Another version of Waybridge has a message for you that this version has no words for: "refused" ' +
        '(shipmentNumber: 10045, carrier: Nord Parcel). Do not create the transport booking again. ' +
        'Tell the person who runs Waybridge, who finds out what it means.',
    );
  });

  it('says of a message that this version does not know that another version wrote it', () => {
    const said = (readers: Readers) => messages.text(readers, 'strike' as MessageKey, { shipmentNumber: '7' } as never);
    expect(said(EN)).toMatch(/^Another version of Waybridge .*"strike" \(shipmentNumber: 7\)/);
    expect(said({ ...DA, bookOn: 'delivery-note' })).toMatch(
      /^En anden version .*"strike" .*Opret ikke følgesedlen igen/,
    );
  });
});

describe('the files of texts are not accepted', () => {
  it.each<[string, (text: string) => string, string]>([
    ['with a missing key', (text) => text.replace('no-rule:', 'no-rules:'), '"no-rule" has no text'],
    ['with an unknown key', (text) => text.replace('no-rule:', 'no-rules:'), '"no-rules" is not a message'],
    [
      'with an empty text',
      (text) => `${text}`.replace(/cancelled: >-\n.*\n/, 'cancelled:\n'),
      '"cancelled" has no text',
    ],
    ['with a value left out', (text) => text.replace('{reference}', 'it'), '"person-needed" lacks {reference}'],
    ['with a value misspelt', (text) => text.replace('{minutes}', '{minuts}'), '"gave-up" knows no {minuts}'],
  ])('%s', async (_case, change, problem) => {
    const folder = await changed('messages.da.yaml', change);
    await expect(loadMessages(folder)).rejects.toThrow(`messages.da.yaml: ${problem}`);
  });

  it('with a key that comes twice', async () => {
    const folder = await changed('messages.en.yaml', (text) => `${text}\nno-rule: again {shipmentNumber}\n`);
    await expect(loadMessages(folder)).rejects.toThrow(/unique/);
  });
});
