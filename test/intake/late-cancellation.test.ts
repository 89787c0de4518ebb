import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { loadConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { cancelled } from '../../src/consignment/machine/cancelling.js';
import type { Sql } from '../../src/db/database.js';
import { deadLetters } from '../../src/dead-letters/dead-letters.js';
import { ImsForbidden, ImsUnavailable } from '../../src/ims/errors.js';
import { arrivalsIn } from '../../src/intake/arrivals.js';
import type { KnownAreas } from '../../src/intake/classify-event.js';
import { findEvent } from '../../src/intake/event-list.js';
import { shipmentsOfDocument } from '../../src/intake/ims-event-rows.js';
import { identifyDocument, identifyingDocument } from '../../src/intake/identify-document.js';
import { takeIn } from '../../src/intake/intake.js';
import type { MessageDraft } from '../../src/messages/message.js';
import { runTask } from '../../src/tasks/run-task.js';
import type { TaskHandlers } from '../../src/tasks/task.js';
import { type Task, claimTask, saveTask } from '../../src/tasks/task-rows.js';
import { bookedPart, plan, transitionContext } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, trackingStage } from '../tracking/tracking-stage.js';

const HOUR_MS = 3_600_000;
const AREAS: KnownAreas = new Map([['1', { bookOn: 'transport-booking' }]]);

const DOCUMENTS: Readonly<Record<string, object>> = {
  'dn-1': { documentType: 'DELIVERY_NOTE', cancelled: true },
  'cn-1': { documentType: 'CONSIGNMENT_NOTE', cancelled: false },
  'tb-1': { documentType: 'TRANSPORT_BOOKING', cancelled: false },
  'tb-0': { documentType: 'TRANSPORT_BOOKING', cancelled: true },
};

let stage: Stage;
let context: BookingContext;
/** Messages to workers: event and key. */
let posts: (readonly [string, string])[] = [];
/** The document to which every shipment refers. */
let transportBookingId: string | null = null;
/** The values of the latest message. */
let values: object = {};
/** The call that the IMS does not answer once. */
let unanswered: string | null = null;
/** Happens once, while a document is read. */
let meanwhile: (() => Promise<void>) | null = null;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
  const answers = (call: string) => {
    if (unanswered !== call) return;
    unanswered = null;
    throw new ImsUnavailable(`${call}: no answer`, 'unknown');
  };
  const postEventMessage = async (event: string, { messageText }: { readonly messageText: string }) => {
    answers('postEventMessage');
    posts.push([event, messageText]);
  };
  const loadDocument = async (id: string) => {
    const happens = meanwhile;
    meanwhile = null;
    await happens?.();
    if (id === 'dn-forbidden') throw new ImsForbidden('loadDocument', '403', { refusal: '403', known: 'by-answer' });
    return DOCUMENTS[id];
  };
  const loadShipment = async (id: string) => {
    answers('loadShipment');
    if (id === 's-forbidden') throw new ImsForbidden('loadShipment', '403', { refusal: '403', known: 'by-answer' });
    return { id, shipmentNumber: `number of ${id}`, transportBookingId };
  };
  const ims = { loadDocument, loadShipment, postEventMessage };
  const text = (message: MessageDraft) => {
    ({ values } = message);
    return message.key;
  };
  const area = { contextId: '1', bookOn: 'transport-booking', ims, imsBackground: ims, text } as unknown as Area;
  context = { ...stage.tracking.booking, areas: new Map([['1', area]]) };
});
afterAll(() => stage.database.close());
beforeEach(() => {
  posts = [];
  unanswered = null;
  transportBookingId = null;
  meanwhile = null;
  return stage.database.script(
    'truncate event, task, consignment, past_booking, consignment_note, tracked_parcel, tracking_event cascade',
  );
});

const lease = () => ({ owner: 'test', now: stage.clock.now(), until: new Date(stage.clock.now().getTime() + 60_000) });

async function claimed(id: string): Promise<Task> {
  const task = await claimTask(stage.database, id, lease());
  if (!task) throw new Error('no task');
  return task;
}

async function arrives(event: object, areas: KnownAreas = AREAS, through = (sql: Sql) => sql) {
  const now = stage.clock.now();
  const arrivals = arrivalsIn(Buffer.from(JSON.stringify(event))).map((each) => ({ ...each, now }));
  return stage.database.transaction((sql) => takeIn(through(sql), arrivals, areas));
}

/** Counts what goes to the database. */
function counted() {
  const count = { statements: 0, rows: 0 };
  const through = (sql: Sql): Sql => ({
    ...sql,
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      const rows = await sql.query<Row>(text, values);
      count.statements += 1;
      count.rows += rows.length;
      return rows;
    },
  });
  return { count, through };
}

/** The shipment `s-1` is booked. */
async function books(): Promise<void> {
  const id = await insertReceived(stage);
  await endBooked(stage, id, { plan: plan(['box-1']), parts: [bookedPart(1)] });
}

async function givesUp(id: string, why: string): Promise<void> {
  await claimed(id);
  await saveTask(stage.database, { id, owner: 'test' }, { state: 'given-up', note: why, dueAt: null });
}

async function isTriedAgain(id: string): Promise<void> {
  expect(await deadLetters(stage).retry(`task-${id}`)).toBe(1);
  await identifyDocument(context, await claimed(id));
}

const toCancel = () => stage.database.query('select document_id from consignment where cancel_wanted is not null');

const WITHOUT_TYPE = { eventId: 'e-9', contextId: '1', documentId: 'dn-1', shipmentId: 's-1' };

describe('a task that is tried again', () => {
  it('cancels the bookings that were made before its event came', async () => {
    await books();
    await arrives(WITHOUT_TYPE);
    await givesUp('e-9', 'GET /documents: 403');
    stage.clock.forward(HOUR_MS);
    await isTriedAgain('e-9');
    expect(await toCancel()).toHaveLength(1);
  });

  it.each([1_000, HOUR_MS])('cancels no booking that was made %d ms after its event came', async (afterMs) => {
    await arrives(WITHOUT_TYPE);
    await givesUp('e-9', 'GET /documents: 403');
    stage.clock.forward(afterMs);
    await books();
    stage.clock.forward(HOUR_MS);
    await isTriedAgain('e-9');
    expect(await toCancel()).toEqual([]);
  });

  it('cancels no booking that was made between its event and the arrival of it', async () => {
    const time = stage.clock.now().toISOString();
    stage.clock.forward(HOUR_MS);
    await books();
    await arrives({ ...WITHOUT_TYPE, time });
    await givesUp('e-9', 'GET /documents: 403');
    await isTriedAgain('e-9');
    expect(await toCancel()).toEqual([]);
  });

  it('takes no shipment from a consignment note that is newer than its own', async () => {
    await books();
    await arrives({ eventId: 'e-7', contextId: '1', documentId: 'cn-1', shipmentIds: ['s-1'] });
    await givesUp('e-7', 'closed');
    stage.clock.forward(HOUR_MS);
    const newer = { eventId: 'e-6', contextId: '1', eventType: 'documentCreated', documentType: 'CONSIGNMENT_NOTE' };
    await arrives({ ...newer, documentId: 'cn-2', shipmentIds: ['s-1'] });
    stage.clock.forward(HOUR_MS);
    await isTriedAgain('e-7');
    expect(await stage.database.query('select handed_over_by from consignment')).toEqual([{ handed_over_by: 'cn-2' }]);
  });
});

it('a cancellation that was ignored, and comes again once its area is configured, cancels no booking made since', async () => {
  const of = { eventType: 'documentCancelled', documentType: 'DELIVERY_NOTE', documentId: 'dn-1', shipmentId: 's-1' };
  const event = { eventId: 'e-8', contextId: '1', ...of };
  expect(await arrives(event, new Map())).toMatchObject([{ receipt: { outcome: 'ignored' } }]);
  stage.clock.forward(HOUR_MS);
  await books();
  stage.clock.forward(HOUR_MS);
  expect(await arrives(event)).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
  expect(await toCancel()).toEqual([]);
});

it('a consignment note that was ignored, and comes again with its document, takes along what it names then', async () => {
  await books();
  const event = { eventId: 'e-7', contextId: '1' };
  expect(await arrives(event)).toMatchObject([{ receipt: { outcome: 'ignored' } }]);
  const whole = { ...event, documentId: 'cn-1', shipmentIds: ['s-1'] };
  expect(await arrives(whole)).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
  await identifyDocument(context, await claimed('e-7'));
  expect(await stage.database.query('select handed_over_by from consignment')).toEqual([{ handed_over_by: 'cn-1' }]);
  expect(await findEvent(stage.database, 'e-7')).toMatchObject({ body: JSON.stringify(whole) });
});

it('a cancellation that does not name the type of its document cancels what the document asks for', async () => {
  await books();
  const event = { ...WITHOUT_TYPE, eventType: 'documentCancelled' };
  expect(await arrives(event)).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
  await identifyDocument(context, await claimed('e-9'));
  expect(await toCancel()).toHaveLength(1);
});

it('a cancellation never books its document, also where the IMS does not show it as cancelled yet', async () => {
  const event = { ...WITHOUT_TYPE, eventType: 'documentCancelled', documentId: 'tb-1' };
  await arrives(event);
  await identifyDocument(context, await claimed('e-9'));
  expect(await stage.database.query('select id from consignment')).toEqual([]);
});

describe.each([
  ['names the type', { eventType: 'documentCancelled', documentType: 'DELIVERY_NOTE' }],
  ['does not name the type', {}],
])('the event of a cancelled delivery note that names no shipment, and %s', (_case, named) => {
  const cancellation = { eventId: 'e-9', contextId: '1', documentId: 'dn-1', ...named };

  async function isCancelled() {
    expect(await arrives(cancellation)).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
    return identifyDocument(context, await claimed('e-9'));
  }

  it('cancels the bookings of the shipment that the event of its creation named', async () => {
    const creation = { eventType: 'documentCreated', documentType: 'DELIVERY_NOTE', documentId: 'dn-1' };
    await books();
    await arrives({ eventId: 'e-2', contextId: '1', ...creation, shipmentId: 's-1' });
    await isCancelled();
    expect(await toCancel()).toHaveLength(1);
    expect(posts).toEqual([]);
  });

  it('tells the worker that nothing was cancelled where no event named the shipment', async () => {
    await books();
    expect(await isCancelled()).toMatchObject({ note: 'cancelled; its shipment is not known' });
    expect(await toCancel()).toEqual([]);
    expect(posts).toEqual([['e-9', 'cancel-shipment-unknown']]);
  });
});

it.each([
  ['the cancellation', { shipmentIds: ['s-1'] }, {}],
  ['the creation', {}, { shipmentIds: ['s-1'] }],
])(
  'a cancelled delivery note cancels the bookings of its shipment where %s names it in a list',
  async (_who, it, other) => {
    const of = { contextId: '1', documentType: 'DELIVERY_NOTE', documentId: 'dn-1' };
    await books();
    await arrives({ eventId: 'e-2', ...of, eventType: 'documentCreated', ...other });
    const [taken] = await arrives({ eventId: 'e-9', ...of, eventType: 'documentCancelled', ...it });
    for (const id of taken?.due.tasks ?? []) await identifyDocument(context, await claimed(id));
    expect(await toCancel()).toHaveLength(1);
    expect(posts).toEqual([]);
  },
);

describe('a cancellation that names no document', () => {
  const cancellation = { eventId: 'e-9', contextId: '1', eventType: 'documentCancelled' };

  it.each(['TRANSPORT_BOOKING', 'DELIVERY_NOTE'])(
    'cancels the bookings of the shipments that it lists: %s',
    async (documentType) => {
      await books();
      const [taken] = await arrives({ ...cancellation, documentType, shipmentIds: ['s-0', 's-1'] });
      expect(taken?.receipt).toEqual({ eventId: 'e-9', outcome: 'accepted' });
      expect(await toCancel()).toHaveLength(1);
    },
  );

  it('takes no more statements for many shipments than for one', async () => {
    const statementsFor = async (eventId: string, shipmentIds: readonly string[]) => {
      const { count, through } = counted();
      await arrives({ ...cancellation, eventId, documentType: 'DELIVERY_NOTE', shipmentIds }, AREAS, through);
      return count.statements;
    };
    const many = Array.from({ length: 500 }, (_, n) => `s-${n}`);
    expect(await statementsFor('e-2', many)).toBe(await statementsFor('e-1', ['s-1']));
  });

  async function isLookedAt(named: object) {
    const [taken] = await arrives({ ...cancellation, ...named });
    for (const id of taken?.due.tasks ?? []) await identifyDocument(context, await claimed(id));
  }

  it.each<readonly [string, object]>([
    ['of a booked shipment, and not its type', { shipmentId: 's-1' }],
    ['of booked shipments in a list, and not its type', { shipmentIds: ['s-0', 's-1'] }],
    ['but its type, and no shipment', { documentType: 'TRANSPORT_BOOKING' }],
    ['and nothing else either', {}],
  ])('%s, is told to its worker, and cancels nothing', async (_what, named) => {
    await books();
    await isLookedAt(named);
    expect(await toCancel()).toEqual([]);
    expect(posts).toEqual([['e-9', 'cancelled-unknown']]);
  });

  it('nor its type is told to nobody where nothing of its shipment is booked', async () => {
    await isLookedAt({ shipmentId: 's-1' });
    expect(posts).toEqual([]);
  });
});

it('reads no events of a document after the first one that names its shipment', async () => {
  const of = { contextId: '1', documentId: 'dn-1', eventType: 'documentCreated', documentType: 'DELIVERY_NOTE' };
  for (let n = 0; n < 9; n += 1) await arrives({ eventId: `e-${n}`, ...of, ...(n > 0 && { shipmentId: 's-1' }) });
  const { count, through } = counted();
  const shipments = await shipmentsOfDocument(through(stage.database), { area: '1', documentId: 'dn-1' });
  expect({ shipments, rows: count.rows }).toEqual({ shipments: ['s-1'], rows: 2 });
});

it('a cancelled delivery note cancels what its first event has listed, also where a later event names one shipment only', async () => {
  const of = { contextId: '1', documentId: 'dn-1', documentType: 'DELIVERY_NOTE' };
  const creation = { ...of, eventType: 'documentCreated' };
  await books();
  await arrives({ eventId: 'e-1', ...creation, shipmentIds: ['s-0', 's-1'] });
  stage.clock.forward(1_000);
  await arrives({ eventId: 'e-2', ...creation, shipmentId: 's-0' });
  stage.clock.forward(1_000);
  await arrives({ eventId: 'e-9', ...of, eventType: 'documentCancelled' });
  await identifyDocument(context, await claimed('e-9'));
  expect(await toCancel()).toHaveLength(1);
});

describe.each([
  ['no shipment', { eventType: 'documentCancelled', documentType: 'DELIVERY_NOTE' }],
  ['neither a shipment nor a type', {}],
])('the event of a delivery note that comes after its cancellation, which named %s', (_what, type) => {
  const of = { contextId: '1', documentType: 'DELIVERY_NOTE', documentId: 'dn-1' };
  const creation = { eventId: 'e-2', ...of, eventType: 'documentCreated' };
  const cancelled = () =>
    stage.database.query<{ cancel_wanted: object }>(
      'select cancel_wanted from consignment where cancel_wanted is not null',
    );

  async function isCancelledFirst() {
    await arrives({ eventId: 'e-9', contextId: '1', documentId: 'dn-1', ...type, userId: 7 });
    await identifyDocument(context, await claimed('e-9'));
    stage.clock.forward(1_000);
  }

  it.each([{ shipmentId: 's-1' }, { shipmentIds: ['s-1'] }])(
    'cancels the bookings of the shipment that it names, for the worker of the cancellation: %j',
    async (named) => {
      await books();
      await isCancelledFirst();
      const [taken] = await arrives({ ...creation, ...named });
      expect(taken?.due).toMatchObject({ consignments: [{ area: '1' }], tasks: [] });
      expect(await cancelled()).toMatchObject([{ cancel_wanted: { eventId: 'e-9', userId: 7, by: 'document' } }]);
    },
  );

  it('cancels no booking that was made since the cancellation', async () => {
    await isCancelledFirst();
    await books();
    await arrives({ ...creation, shipmentId: 's-1' });
    expect(await cancelled()).toEqual([]);
  });
});

it('a cancellation that listed its shipments is not done again when the event of its document comes', async () => {
  const of = { contextId: '1', documentType: 'DELIVERY_NOTE', documentId: 'dn-1', shipmentIds: ['s-1'] };
  await books();
  await arrives({ eventId: 'e-9', ...of, eventType: 'documentCancelled' });
  await stage.database.query('update consignment set cancel_wanted = null');
  await arrives({ eventId: 'e-2', ...of, eventType: 'documentCreated' });
  expect(await toCancel()).toEqual([]);
});

describe('an event of a transport booking that names its shipment, and neither its document nor what became of it', () => {
  const event = { eventId: 'e-9', contextId: '1', documentType: 'TRANSPORT_BOOKING', shipmentId: 's-1' };
  const consignments = () =>
    stage.database.query(
      'select document_id, cancel_wanted is not null as cancelled from consignment order by created_at, document_id',
    );

  async function isBookedOn(documentId: string, state = 'closed') {
    const creation = { ...event, eventType: 'documentCreated', documentId };
    await arrives({ ...creation, eventId: `e-${documentId}` });
    await stage.database.query('update consignment set state = $1, due_at = null', [state]);
    stage.clock.forward(1_000);
  }

  async function comes(eventId = 'e-9') {
    await arrives({ ...event, eventId });
    return identifyDocument(context, await claimed(eventId));
  }

  /** The process has died before it stored the end of the task. */
  async function isTakenUpAgain() {
    stage.clock.forward(HOUR_MS);
    return identifyDocument(context, await claimed('e-9'));
  }

  /** The carrier answers the cancellation. */
  async function isAnswered(result: 'cancelled' | 'refused') {
    const [row] = await stage.database.query<{ id: string }>('select id from consignment');
    const asked = await loadConsignment(stage.database, row?.id ?? '');
    const booked = { ...asked, plan: plan(['box-1']), parts: [bookedPart(1)] };
    const { parts, effects } = cancelled(booked, [{ n: 1, kind: result, problems: [] }], transitionContext());
    await stage.database.query(
      'update consignment set cancel_wanted = null, due_at = null, state = $1, parts = $2::jsonb, effects = $3::jsonb',
      [result === 'cancelled' ? 'cancelled' : 'closed', JSON.stringify(parts), JSON.stringify(effects)],
    );
  }

  it('books the document to which the shipment refers', async () => {
    transportBookingId = 'tb-1';
    expect((await comes()).wake).toHaveLength(1);
    expect(await consignments()).toEqual([{ document_id: 'tb-1', cancelled: false }]);
  });

  it('books nothing again where that document is booked on', async () => {
    transportBookingId = 'tb-1';
    await isBookedOn('tb-1');
    expect((await comes()).wake).toEqual([]);
    expect(await consignments()).toEqual([{ document_id: 'tb-1', cancelled: false }]);
  });

  it('books that document also where it may not be read', async () => {
    transportBookingId = 'dn-forbidden';
    await comes();
    expect(await consignments()).toEqual([{ document_id: 'dn-forbidden', cancelled: false }]);
  });

  it.each([null, 'tb-0'])(
    'cancels a booking whose document is cancelled, where the shipment refers to %s',
    async (refers) => {
      transportBookingId = refers;
      await isBookedOn('tb-0');
      expect((await comes()).wake).toHaveLength(1);
      expect(await consignments()).toEqual([{ document_id: 'tb-0', cancelled: true }]);
    },
  );

  it('cancels such a booking, and books the document that has replaced it', async () => {
    transportBookingId = 'tb-1';
    await isBookedOn('tb-0');
    await comes();
    expect(await consignments()).toEqual([
      { document_id: 'tb-0', cancelled: true },
      { document_id: 'tb-1', cancelled: false },
    ]);
  });

  it('is told to its worker where the document is cancelled, and the shipment is booked without one', async () => {
    transportBookingId = 'tb-0';
    await isBookedOn('tb-0');
    await stage.database.query('update consignment set document_id = null');
    await comes();
    expect(await consignments()).toEqual([{ document_id: null, cancelled: false }]);
    expect(posts).toEqual([['e-9', 'change-not-identified']]);
  });

  it.each([null, 'tb-0'])(
    'asks for no cancellation that the carrier has refused, where the shipment refers to %s',
    async (refers) => {
      transportBookingId = refers;
      await isBookedOn('tb-0');
      await comes();
      await isAnswered('refused');
      expect((await comes('e-10')).wake).toEqual([]);
      expect(await consignments()).toEqual([{ document_id: 'tb-0', cancelled: false }]);
    },
  );

  it('cancels also a booking that is begun while the cancelled document is read', async () => {
    transportBookingId = 'tb-0';
    meanwhile = () => isBookedOn('tb-0');
    expect((await comes()).wake).toHaveLength(1);
    expect(await consignments()).toEqual([{ document_id: 'tb-0', cancelled: true }]);
  });

  it('cancels also a booking on another document that is cancelled, which is begun meanwhile', async () => {
    transportBookingId = 'tb-1';
    meanwhile = () => isBookedOn('tb-0');
    await comes();
    expect(await consignments()).toEqual([
      { document_id: 'tb-0', cancelled: true },
      { document_id: 'tb-1', cancelled: false },
    ]);
  });

  it('is told to its worker where a booking without a document is begun while the cancelled one is read', async () => {
    transportBookingId = 'tb-0';
    meanwhile = async () => void (await arrives({ ...event, eventId: 'e-1', eventType: 'documentCreated' }));
    await comes();
    expect(await consignments()).toEqual([{ document_id: null, cancelled: false }]);
    expect(posts).toEqual([['e-9', 'change-not-identified']]);
  });

  it('leaves a cancellation that is not answered to the worker who asked for it', async () => {
    transportBookingId = 'tb-0';
    await isBookedOn('tb-0');
    await comes();
    expect((await comes('e-10')).wake).toEqual([]);
    expect(await stage.database.query(`select cancel_wanted->>'eventId' as by from consignment`)).toEqual([
      { by: 'e-9' },
    ]);
  });

  it('is told to its worker where the cancellation was asked for before, and the shipment refers to no document', async () => {
    await isBookedOn('tb-0');
    await comes();
    await comes('e-10');
    expect(posts).toEqual([['e-10', 'change-not-identified']]);
  });

  it.each(['cancelled', 'refused'] as const)(
    'sends no message where the process dies after it has stored the cancellation, and the carrier answers: %s',
    async (result) => {
      await isBookedOn('tb-0');
      await comes();
      await isAnswered(result);
      expect((await isTakenUpAgain()).wake).toEqual([]);
      expect(await consignments()).toEqual([{ document_id: 'tb-0', cancelled: false }]);
      expect(posts).toEqual([]);
    },
  );

  it('sends no message where the process dies after it has begun a booking without a document', async () => {
    await comes();
    await isTakenUpAgain();
    expect(await consignments()).toEqual([{ document_id: null, cancelled: false }]);
    expect(posts).toEqual([]);
  });

  it('asks for the carrier that the event names', async () => {
    transportBookingId = 'tb-1';
    await arrives({ ...event, carrierName: 'GLS' });
    await identifyDocument(context, await claimed('e-9'));
    expect(await stage.database.query('select document_id, carrier_name from consignment')).toEqual([
      { document_id: 'tb-1', carrier_name: 'GLS' },
    ]);
  });

  it('books also where its body was deleted before it was tried again', async () => {
    transportBookingId = 'tb-1';
    await arrives(event);
    await stage.database.query("update event set body = ''");
    await identifyDocument(context, await claimed('e-9'));
    expect(await consignments()).toEqual([{ document_id: 'tb-1', cancelled: false }]);
    expect(posts).toEqual([]);
  });

  it('books a shipment that refers to no document, where no booking was asked for before', async () => {
    await comes();
    expect(await consignments()).toEqual([{ document_id: null, cancelled: false }]);
  });

  it.each([
    ['booked on a document that is not cancelled', { booked: 'tb-1', state: 'closed', refers: null }],
    ['booked on a document that may not be read', { booked: 'dn-forbidden', state: 'closed', refers: 'dn-forbidden' }],
    ['of a booking that was refused', { booked: 'tb-1', state: 'refused', refers: null }],
  ])(
    'is told to its worker, and changes nothing, where the shipment is one %s',
    async (_what, { booked, state, refers }) => {
      transportBookingId = refers;
      await isBookedOn(booked, state);
      await comes();
      expect(await consignments()).toEqual([{ document_id: booked, cancelled: false }]);
      expect(posts).toEqual([['e-9', 'change-not-identified']]);
      expect(values).toEqual({ shipmentNumber: 'number of s-1' });
    },
  );
});

describe('an event of several shipments that asks for a booking, and names no document', () => {
  const event = { eventId: 'e-9', contextId: '1', shipmentIds: ['s-1', 's-2'] };
  const typed = { ...event, eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };

  async function comes(which: object) {
    expect(await arrives(which)).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
    await identifyDocument(context, await claimed('e-9'));
    expect(await stage.database.query('select id from consignment')).toEqual([]);
  }

  it.each([
    ['a transport booking', typed],
    ['packing that ended', { ...event, eventType: 'packingCompleted' }],
  ])('books none of them, and tells its worker to ask for each: %s', async (_what, which) => {
    await comes(which);
    expect(posts).toEqual([['e-9', 'booking-of-several']]);
    expect(values).toEqual({ shipments: 'number of s-1, number of s-2' });
  });

  it('is told as one that may be a cancellation where it does not say what became of the document', async () => {
    await comes({ ...typed, eventType: null });
    expect(posts).toEqual([['e-9', 'change-not-identified']]);
    expect(values).toEqual({ shipmentNumber: 'number of s-1, number of s-2' });
  });

  it('names a shipment that may not be read by its id, and of many the first twenty', async () => {
    const shipmentIds = ['s-forbidden', ...Array.from({ length: 21 }, (_, n) => `s-${n}`)];
    await comes({ ...typed, shipmentIds });
    expect(values).toEqual({
      shipments: expect.stringMatching(/^s-forbidden, number of s-0, .*, number of s-18 … \(\+2\)$/),
    });
  });
});

describe('an event of several shipments that names no document, when it is given up', () => {
  const event = { eventId: 'e-9', contextId: '1', shipmentIds: ['s-1', 's-2'] };
  const typed = { ...event, eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };
  const handlers = { 'identify-document': identifyingDocument } as TaskHandlers;

  it.each([
    ['a booking', typed, ['loadShipment', 'booking-of-several', { shipments: 's-1, s-2' }]],
    [
      'a booking or its cancellation',
      { ...typed, eventType: null },
      ['loadShipment', 'change-not-identified', { shipmentNumber: 's-1, s-2' }],
    ],
    [
      'a cancellation',
      { ...typed, eventType: 'documentCancelled', documentType: null },
      ['postEventMessage', 'cancelled-unknown', { shipments: 's-1, s-2' }],
    ],
  ] as const)('is told with the ids of its shipments: %s', async (_what, which, [call, key, said]) => {
    await books();
    await arrives(which);
    await stage.database.query(`update task set created_at = created_at - interval '2 days'`);
    unanswered = call;
    await runTask(context, handlers, 'e-9');
    expect(posts).toEqual([['e-9', key]]);
    expect(values).toEqual(said);
  });
});

describe('a document that is not identified', () => {
  const event = { eventId: 'e-9', contextId: '1', documentId: 'dn-forbidden' };
  const handlers = { 'identify-document': identifyingDocument } as TaskHandlers;
  const creation = { ...event, eventId: 'e-1', eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };

  /** The document is booked on; its booking is in this state. */
  async function isBookedOn(state: string) {
    await arrives({ ...creation, shipmentId: 's-1' });
    await stage.database.query('update consignment set state = $1, due_at = null', [state]);
  }

  it('is told to the worker of its event when that is final', async () => {
    await arrives(event);
    await runTask(context, handlers, 'e-9');
    expect(posts).toEqual([['e-9', 'document-not-identified']]);
    expect(await stage.database.query('select state from task')).toEqual([{ state: 'given-up' }]);
  });

  it.each(['received', 'in-doubt', 'closed', 'incomplete', 'cancelled', 'set-aside'])(
    'is told as one that was booked on before, where its booking is %s',
    async (state) => {
      await isBookedOn(state);
      await arrives(event);
      await runTask(context, handlers, 'e-9');
      expect(posts).toEqual([['e-9', 'document-booked-on-before']]);
      expect(values).toEqual({ document: 'dn-forbidden', shipmentNumber: 's-1' });
    },
  );

  it('is told as one that was booked on before, where the row of its booking is deleted', async () => {
    await stage.database.query(
      `insert into past_booking (consignment_id, area, document_id, shipment_id, ended_at)
       values ('c-1', '1', 'dn-forbidden', 's-1', now())`,
    );
    await arrives(event);
    await runTask(context, handlers, 'e-9');
    expect(posts).toEqual([['e-9', 'document-booked-on-before']]);
    expect(values).toEqual({ document: 'dn-forbidden', shipmentNumber: 's-1' });
  });

  it('is told as one that nothing is booked on, where its booking was refused', async () => {
    await isBookedOn('refused');
    await arrives(event);
    await runTask(context, handlers, 'e-9');
    expect(posts).toEqual([['e-9', 'document-not-identified']]);
  });
});

describe('a cancelled delivery note that we may not read, whose event names no shipment', () => {
  const delivered = { contextId: '1', documentType: 'DELIVERY_NOTE', documentId: 'dn-forbidden' };

  async function isCancelled() {
    await arrives({ eventId: 'e-9', ...delivered, eventType: 'documentCancelled' });
    return identifyDocument(context, await claimed('e-9'));
  }

  it('cancels the bookings of the shipment that an earlier event named', async () => {
    await books();
    await arrives({ eventId: 'e-2', ...delivered, eventType: 'documentCreated', shipmentId: 's-1' });
    await isCancelled();
    expect(await toCancel()).toHaveLength(1);
  });

  it('tells the worker that nothing was cancelled where no event named it', async () => {
    await isCancelled();
    expect(posts).toEqual([['e-9', 'cancel-shipment-unknown']]);
  });
});

describe('events that a forwarder held back, and sends together', () => {
  const booking = { eventId: 'e-1', contextId: '1', eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };
  const cancellation = {
    eventId: 'e-2',
    contextId: '1',
    eventType: 'documentCancelled',
    documentType: 'DELIVERY_NOTE',
  };

  async function sendsLate({ bookedAfterMs, cancelledAfterMs }: { bookedAfterMs: number; cancelledAfterMs: number }) {
    const at = (afterMs: number) => ({ time: new Date(stage.clock.now().getTime() - HOUR_MS + afterMs).toISOString() });
    await arrives({ ...booking, ...at(bookedAfterMs), documentId: 'tb-1', shipmentId: 's-1' });
    stage.clock.forward(1_000);
    await arrives({ ...cancellation, ...at(cancelledAfterMs - 1_000), documentId: 'dn-1', shipmentId: 's-1' });
  }

  it('cancel a booking that the worker asked for before the delivery note was cancelled', async () => {
    await sendsLate({ bookedAfterMs: 0, cancelledAfterMs: 5 * 60_000 });
    expect(await toCancel()).toEqual([{ document_id: 'tb-1' }]);
  });

  it('cancel no booking that the worker asked for afterwards', async () => {
    await sendsLate({ bookedAfterMs: 5 * 60_000, cancelledAfterMs: 0 });
    expect(await toCancel()).toEqual([]);
  });
});

describe('a cancellation that comes before the event of the booking', () => {
  const of = { contextId: '1', documentType: 'TRANSPORT_BOOKING', shipmentId: 's-1' };
  const creation = { ...of, eventId: 'e-1', eventType: 'documentCreated' };
  const cancellation = { ...of, eventId: 'e-9', eventType: 'documentCancelled', userId: 7 };
  const at = (afterMs: number) => ({ time: new Date(stage.clock.now().getTime() - HOUR_MS + afterMs).toISOString() });
  const asked = () => stage.database.query('select cancel_wanted from consignment');

  it.each(['documentCreated', null])(
    'cancels that booking where neither names a document, and both say when they were made: %s',
    async (eventType) => {
      await arrives({ ...cancellation, ...at(60_000) });
      stage.clock.forward(1_000);
      const [taken] = await arrives({ ...creation, eventType, ...at(0) });
      for (const id of taken?.due.tasks ?? []) await identifyDocument(context, await claimed(id));
      expect(await asked()).toMatchObject([{ cancel_wanted: { eventId: 'e-9', userId: 7, by: 'document' } }]);
    },
  );

  it.each([
    ['made after the cancellation', 60_000, 120_000],
    ['made at the same time', 60_000, 60_000],
    ['of which nothing says when it was made', 60_000, null],
  ])('leaves a booking %s', async (_what, cancelledAfterMs, createdAfterMs) => {
    await arrives({ ...cancellation, ...at(cancelledAfterMs) });
    stage.clock.forward(createdAfterMs ?? 0);
    await arrives({ ...creation, ...(createdAfterMs !== null && at(0)) });
    expect(await asked()).toEqual([{ cancel_wanted: null }]);
  });
});

describe('a cancelled transport booking', () => {
  const of = { contextId: '1', documentType: 'TRANSPORT_BOOKING', shipmentId: 's-1' };
  const creation = { ...of, eventId: 'e-1', eventType: 'documentCreated' };
  const cancellation = { ...of, eventId: 'e-9', eventType: 'documentCancelled', documentId: 'tb-1' };

  async function isCreated(named: object) {
    await arrives({ ...creation, ...named });
    await stage.database.query("update consignment set state = 'closed', due_at = null");
    stage.clock.forward(1_000);
  }

  it('cancels the booking of its shipment where the event of that one named no document', async () => {
    await isCreated({});
    expect(await arrives(cancellation)).toMatchObject([{ due: { consignments: [{ area: '1' }] } }]);
    expect(await toCancel()).toEqual([{ document_id: null }]);
  });

  it('leaves such a booking where the document has one of its own', async () => {
    await isCreated({});
    await isCreated({ eventId: 'e-2', documentId: 'tb-1' });
    await arrives(cancellation);
    expect(await toCancel()).toEqual([{ document_id: 'tb-1' }]);
  });

  it('leaves such a booking where the document had one of its own that was refused', async () => {
    await isCreated({});
    await isCreated({ eventId: 'e-2', documentId: 'tb-1' });
    await stage.database.query("update consignment set state = 'refused' where document_id = 'tb-1'");
    await arrives(cancellation);
    expect(await toCancel()).toEqual([]);
  });

  it('leaves the booking of another document of its shipment', async () => {
    await isCreated({ documentId: 'tb-2' });
    await arrives(cancellation);
    expect(await toCancel()).toEqual([]);
  });
});

describe.each([
  ['names the type', { eventType: 'documentCancelled', documentType: 'DELIVERY_NOTE' }],
  ['does not name the type', {}],
])('a second event of a cancelled delivery note that %s', (_what, named) => {
  it('cancels no booking that was made since the first', async () => {
    const of = { contextId: '1', documentId: 'dn-1', shipmentId: 's-1' };
    await arrives({ ...of, eventId: 'e-8', eventType: 'documentCancelled', documentType: 'DELIVERY_NOTE' });
    stage.clock.forward(HOUR_MS);
    await books();
    stage.clock.forward(HOUR_MS);
    const [taken] = await arrives({ ...of, eventId: 'e-9', ...named });
    for (const id of taken?.due.tasks ?? []) await identifyDocument(context, await claimed(id));
    expect(await toCancel()).toEqual([]);
  });
});

it('a booking whose event names its shipment in a list of one is stored with that shipment', async () => {
  const event = { eventId: 'e-1', contextId: '1', eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING' };
  expect(await arrives({ ...event, shipmentIds: ['s-1'] })).toMatchObject([{ receipt: { outcome: 'accepted' } }]);
  expect(await stage.database.query('select shipment_id from consignment')).toEqual([{ shipment_id: 's-1' }]);
});
