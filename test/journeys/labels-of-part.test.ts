import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { createLabelLinks } from '../../src/labels/signed-link.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Life, type Lives, openLives } from '../support/lives.js';

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

const zpl = (commands: string) => `^XA^PW816^LL1216^FO50,50${commands}^FS^XZ`;
/** No program that draws ZPL draws Code 93. */
const CODE_93 = zpl('^BAN,80^FDABC123');

it('gives all labels of a part in one file, where its carrier gave several', async () => {
  const { consignment } = await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const pages = async () => {
    const { bytes } = await life.service.operator(`/consignments/${consignment.id}/labels/1`);
    return (await PDFDocument.load(bytes)).getPageCount();
  };
  expect(await pages()).toBe(1);
  await life.database.query(
    `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at)
     select consignment_id, n, 1, bytes, sha256, pages, created_at from label
      where consignment_id = $1 and n = 1 and k = 0`,
    [consignment.id],
  );
  expect(await pages()).toBe(2);
});

it('neither lists nor gives a label of none of its parcels, as a plan leaves it that was dropped after it took parcels over', async () => {
  const { id } = (await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' })).consignment;
  await life.database.query(
    `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at)
     select consignment_id, 2, k, bytes, sha256, pages, created_at from label where consignment_id = $1 and n = 1`,
    [id],
  );
  expect((await life.service.operator(`/consignments/${id}`)).body).toMatchObject({ labels: [0, 1] });
  const { status, body } = await life.service.operator(`/consignments/${id}/labels/2`);
  expect([status, body.detail]).toEqual([409, expect.stringContaining('none of its parcels')]);
});

describe('a part whose labels are in ZPL', () => {
  let id: string;
  /** Label `k` of part `n`, or of the file that is attached (0), is this one. */
  const store = (n: number, k: number, commands: string) =>
    life.database.query(
      `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at) values ($1, $2, $3, $4, 'sha', 1, now())
       on conflict (consignment_id, n, k) do update set bytes = excluded.bytes`,
      [id, n, k, Buffer.from(commands)],
    );
  const labelOf = (n: number) => life.service.operator(`/consignments/${id}/labels/${n}`);

  beforeEach(async () => {
    ({ id } = (await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' })).consignment);
  });

  it('gives them as its carrier gave them, one after the other', async () => {
    await store(1, 0, CODE_93);
    await store(1, 1, zpl('^FDsecond'));
    const { status, type, bytes } = await labelOf(1);
    expect({ status, type }).toEqual({ status: 200, type: expect.stringContaining('application/zpl') });
    expect(bytes.toString()).toBe(`${CODE_93}${zpl('^FDsecond')}`);
  });

  const cannotBe = expect.stringContaining('has a part (^BA) that only a label printer can draw');

  it('says why they cannot be joined, where one cannot be drawn beside a PDF', async () => {
    await store(1, 1, CODE_93);
    expect(await labelOf(1)).toMatchObject({ status: 409, body: { title: 'Not possible now', detail: cannotBe } });
  });

  it('says at the link of a worker why the label cannot be shown, where it cannot be drawn', async () => {
    await store(0, 0, CODE_93);
    const { link } = createLabelLinks({
      secret: sandboxSecrets.OPERATOR_TOKEN,
      publicUrl: life.service.url,
      now: () => new Date(),
    });
    expect(await life.service.ask(link(id))).toMatchObject({
      status: 409,
      body: { title: 'This label cannot be given', detail: cannotBe },
    });
  });
});
