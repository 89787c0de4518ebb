import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
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
