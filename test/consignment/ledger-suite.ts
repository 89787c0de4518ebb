import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import type { CancelRequest, Consignment, EffectCall } from '../../src/consignment/consignment.js';
import {
  type NewConsignment,
  claim,
  findConsignment,
  insertConsignment,
  loadConsignment,
  renewLeases,
  reopenByDocument,
  seize,
  takenReferences,
  siblingsWithSnapshot,
} from '../../src/consignment/ledger/consignment-rows.js';
import { requestCancelById, requestCancel } from '../../src/consignment/ledger/cancel-requests.js';
import { CONSIGNMENT_STATES, statesThat } from '../../src/consignment/states.js';
import { LeaseLost, save } from '../../src/consignment/ledger/save.js';
import { dueConsignments, markWaitingTold, takeWaiting } from '../../src/consignment/ledger/due-rows.js';
import { loadLabels, storeLabels } from '../../src/consignment/ledger/label-rows.js';
import { markSent, wasSent } from '../../src/areas/sent-rows.js';
import { usageStore } from '../../src/ims/limits/usage-rows.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { SequenceConflict, noSiblings } from '../../src/consignment/ledger/sequence.js';
import { bookedBeside } from '../../src/consignment/machine/beside.js';
import { newRun } from '../../src/consignment/machine/operator.js';
import { tell } from '../../src/consignment/machine/booking-messages.js';
import { NOON, bookedPart, part, plan } from '../support/consignments.js';

const dueIds = async (...search: Parameters<typeof dueConsignments>) =>
  (await dueConsignments(...search)).map(({ id }) => id);
const SOON = new Date(NOON.getTime() + 10_000);
const LATER = new Date(NOON.getTime() + 60_000);
const WISH: CancelRequest = { eventId: 'e-9', userId: 'anna', deviceName: null, by: 'document' };

type Change = Partial<Parameters<typeof save>[2]>;

/** What the ledger promises on any database that speaks our SQL. */
export function describeLedger(name: string, open: () => Promise<Database>): void {
  describe(`the ledger in ${name}`, () => {
    let database: Database;

    beforeAll(async () => {
      database = await open();
      await migrate(database);
    });
    afterAll(async () => database?.close());

    /** A row in an area of its own, so that no test sees another's. */
    async function arrived(
      changes: Partial<NewConsignment> = {},
    ): Promise<{ readonly id: string; readonly area: string }> {
      const area = changes.area ?? randomUUID();
      const id = await insertConsignment(database, {
        area,
        bookedOn: 'transport-booking',
        documentId: 'd-1',
        shipmentId: 's-1',
        addressee: { eventId: 'e-1', userId: 7, deviceName: 'desk-1' },
        now: NOON,
        ...changes,
      });
      if (id === null) throw new Error('the document has a consignment already');
      return { id, area };
    }

    async function taken(id: string, owner = 'one', now = NOON): Promise<Consignment> {
      const claimed = await claim(database, id, { owner, now, until: new Date(now.getTime() + 10_000) });
      if (!claimed) throw new Error('it could not be claimed');
      return claimed;
    }

    function write(consignment: Consignment, change: Change = {}): Promise<Consignment> {
      return save(database, consignment, {
        owner: 'one',
        now: NOON,
        entries: [],
        keepLease: 'keep',
        answersCancelRequest: 'stands',
        knownCancelRequest: consignment.cancelRequest,
        ...change,
      });
    }

    /** At rest in this state. */
    async function ended(state: Consignment['state'], changes: Partial<NewConsignment> = {}) {
      const row = await arrived(changes);
      await write({ ...(await taken(row.id)), state, dueAt: null }, { keepLease: 'give-back' });
      return row;
    }

    it('gives a due consignment to one of many who ask at once', async () => {
      const { id } = await arrived();
      const owners = ['one', 'two', 'three', 'four', 'five'];
      const claims = await Promise.all(owners.map((owner) => claim(database, id, { owner, now: NOON, until: SOON })));
      expect(claims.filter((one) => one !== null)).toHaveLength(1);
    });

    it.each([
      ['is not due yet', { dueAt: LATER }, NOON],
      ['has nothing to do', { dueAt: null }, LATER],
      ['is in a state of another version', { dueAt: NOON, state: 'on-hold' as Consignment['state'] }, LATER],
    ])('gives nobody a consignment that %s', async (_case, changes, now) => {
      const { id } = await arrived();
      await write({ ...(await taken(id)), ...changes }, { keepLease: 'give-back' });
      expect(await claim(database, id, { owner: 'two', now, until: LATER })).toBeNull();
      expect(await dueIds(database, { now, limit: 1_000 })).not.toContain(id);
    });

    it('gives a consignment to the next one when the lease has ended, and not before', async () => {
      const { id } = await arrived();
      await taken(id);
      const until = new Date(LATER.getTime() + 10_000);
      expect(await claim(database, id, { owner: 'two', now: new Date(SOON.getTime() - 1), until })).toBeNull();
      expect(await dueIds(database, { now: NOON, limit: 1_000 })).not.toContain(id);
      expect(await dueIds(database, { now: SOON, limit: 1_000 })).toContain(id);
      expect(await claim(database, id, { owner: 'two', now: SOON, until })).not.toBeNull();
    });

    it('gives what is not due to a person who asks for it, unless somebody works on it', async () => {
      const { id } = await ended('refused');
      const lease = { owner: 'operator', now: NOON, until: SOON };
      expect(await seize(database, id, lease)).not.toBeNull();
      expect(await seize(database, id, { ...lease, owner: 'another' })).toBeNull();
    });

    it('keeps the leases of whoever works, and never wakes one that has ended', async () => {
      const { id } = await arrived();
      await taken(id);
      await renewLeases(database, { owner: 'one', now: NOON, until: LATER }, [id]);
      expect((await loadConsignment(database, id)).leaseUntil).toEqual(LATER);
      const until = new Date(LATER.getTime() + 10_000);
      await renewLeases(database, { owner: 'one', now: LATER, until }, [id]);
      expect((await loadConsignment(database, id)).leaseUntil).toEqual(LATER);
    });

    it('writes everything a step may change and gives it back as it was', async () => {
      const { id } = await arrived();
      const claimed = await taken(id);
      const changed: Consignment = {
        ...claimed,
        shipmentNumber: '10045',
        plan: plan(['box-1', 'box-2']),
        reference: randomUUID(),
        parts: [bookedPart(1), part(2, { quietFrom: NOON.toISOString() })],
        shortfalls: [{ key: 'no-country', values: { shipmentNumber: '10045 "ÆØÅ" \\ 漢' } }],
        state: 'booking',
        outcome: 'incomplete',
        claimed: true,
        compensating: true,
        needsOperator: true,
        attempts: 3,
        run: 2,
        runStartedAt: SOON,
        dueAt: LATER,
      };
      const saved = await write(changed);
      expect(saved).toEqual({ ...changed, version: claimed.version + 1 });
      expect(await loadConsignment(database, id)).toEqual(saved);
    });

    it('keeps of a message which document it is about, so that it is not sent again', async () => {
      const { id } = await arrived();
      const claimed = await taken(id);
      const message = { ...bookedBeside({ ...claimed, parts: [bookedPart(1)] }), bookedOn: 'delivery-note' } as const;
      const sent = tell(claimed, 1, [message]).map((effect) => ({ ...effect, state: 'done' as const }));
      await write({
        ...claimed,
        plan: { ...plan(['box-1']), warnings: [message] },
        shortfalls: [message],
        effects: sent,
      });
      const stored = await loadConsignment(database, id);
      expect(stored).toMatchObject({ plan: { warnings: [message] }, shortfalls: [message], effects: sent });
      expect(tell(stored, 2, [message])).toMatchObject([{ state: 'done', note: 'told before' }]);
    });

    it('reads what earlier versions wrote beside the plan, and writes it so that they can read it', async () => {
      const { id } = await arrived({ possiblyBooked: true });
      const kept = { plan: null, outcome: null, claimed: true, compensating: false, begunElsewhere: true };
      const stored = async () => {
        const [row] = await database.query<{ plan: unknown }>('select plan from consignment where id = $1', [id]);
        return row?.plan;
      };
      expect(await stored()).toEqual(kept);
      const waiting = { ...kept, heldUntil: LATER.toISOString() };
      await database.query('update consignment set plan = $2::jsonb where id = $1', [id, JSON.stringify(waiting)]);
      const consignment = await taken(id);
      expect(consignment).toMatchObject({ possiblyBooked: true, parkedUntil: LATER, claimed: true });
      await write(consignment);
      expect(await stored()).toEqual(waiting);
    });

    it('keeps that a booking waits for its account, which earlier versions read as a wait for its carrier', async () => {
      const { id } = await arrived();
      const saved = await write({ ...(await taken(id)), waitingFor: 'account' });
      expect((await loadConsignment(database, id)).waitingFor).toBe('account');
      const [row] = await database.query<{ plan: unknown }>('select plan from consignment where id = $1', [id]);
      expect(row?.plan).toMatchObject({ waitingFor: 'carrier' });
      await write({ ...saved, waitingFor: 'carrier' });
      expect((await loadConsignment(database, id)).waitingFor).toBe('carrier');
    });

    it('keeps user ids as they came, number or text', async () => {
      for (const userId of [7, '7', 'anna', null]) {
        const { id } = await arrived({ addressee: { eventId: 'e-1', userId, deviceName: null } });
        expect((await loadConsignment(database, id)).addressee.userId).toBe(userId);
      }
    });

    it.each([
      ['somebody wrote meanwhile', 1, {}],
      ['another holds it', 0, { owner: 'two' }],
      ['the lease has ended', 0, { now: SOON }],
    ])('writes nothing, neither state nor journal, when %s', async (_case, behind, change) => {
      const { id } = await arrived();
      const claimed = await taken(id);
      const attempt = write(
        { ...claimed, state: 'booked', version: claimed.version - behind },
        { entries: [{ what: 'booked', fields: {} }], ...change },
      );
      await expect(attempt).rejects.toThrow(LeaseLost);
      expect((await loadConsignment(database, id)).state).toBe('received');
      expect(await database.query('select 1 from journal where consignment_id = $1', [id])).toEqual([]);
    });

    it('writes what happened together with the state', async () => {
      const { id } = await arrived();
      const entries = [
        { what: 'first', fields: { part: 1 } },
        { what: 'second', fields: {}, said: { problems: ['no'] } },
      ];
      await write(await taken(id), { entries });
      const journal = await database.query('select what, fields from journal where consignment_id = $1 order by id', [
        id,
      ]);
      expect(journal).toEqual([
        { what: 'first', fields: { part: 1 } },
        { what: 'second', fields: { problems: ['no'] } },
      ]);
    });

    it('makes a row due again at once when a wish came while somebody worked on it', async () => {
      const { id } = await arrived();
      const claimed = await taken(id);
      await requestCancelById(database, { id, by: WISH, now: NOON });
      const saved = await write({ ...claimed, state: 'closed', dueAt: null }, { keepLease: 'give-back' });
      expect(saved).toMatchObject({ cancelRequest: WISH, dueAt: NOON });
    });

    it('takes a wish away when it is answered', async () => {
      const { id } = await arrived();
      await requestCancelById(database, { id, by: WISH, now: NOON });
      const claimed = await taken(id);
      const answered = { ...claimed, cancelRequest: null, state: 'cancelled', dueAt: null } as const;
      const saved = await write(answered, {
        answersCancelRequest: 'answered',
        knownCancelRequest: claimed.cancelRequest,
      });
      expect(saved).toMatchObject({ cancelRequest: null, dueAt: null });
    });

    it('keeps a wish that came while another was being answered', async () => {
      const { id } = await arrived();
      await requestCancelById(database, { id, by: WISH, now: NOON });
      const claimed = await taken(id);
      const second: CancelRequest = { ...WISH, eventId: 'e-10', by: 'operator' };
      await requestCancelById(database, { id, by: second, now: NOON });
      const answered = { ...claimed, cancelRequest: null, dueAt: null };
      const saved = await write(answered, {
        answersCancelRequest: 'answered',
        knownCancelRequest: claimed.cancelRequest,
      });
      expect(saved).toMatchObject({ cancelRequest: second, dueAt: NOON });
    });

    it('has one consignment for a document of an area, however often it is asked', async () => {
      const { area } = await arrived();
      await expect(arrived({ area })).rejects.toThrow('already');
      await expect(arrived({ area: randomUUID() })).resolves.toBeDefined();
      await expect(arrived({ area, documentId: null })).resolves.toBeDefined();
      await expect(arrived({ area, documentId: null })).resolves.toBeDefined();
    });

    it('lets no two consignments of an account have one reference', async () => {
      const reference = randomUUID();
      const [first, second] = [await arrived(), await arrived()];
      await write({ ...(await taken(first.id)), plan: plan(['box-1']), reference });
      await expect(write({ ...(await taken(second.id)), plan: plan(['box-1']), reference })).rejects.toThrow(/unique/);
      const elsewhere = { ...plan(['box-1']), account: 'other' };
      await expect(
        write({ ...(await loadConsignment(database, second.id)), plan: elsewhere, reference }),
      ).resolves.toBeDefined();
    });

    it('knows the references that a shipment number could be mistaken for', async () => {
      const number = randomUUID().replaceAll('-', 'x');
      const booked = async (reference: string, parts: Consignment['parts'] = []) => {
        const { id } = await arrived();
        await write({ ...(await taken(id)), plan: plan(['box-1']), reference, parts });
      };
      const second = part(2, { request: { ...part(2).request, reference: `${number}-2` } });
      await booked(number, [part(1), second]);
      await booked(`${number}.2`);
      await booked(`${number}0`);
      const at = (account: string, wanted: string, configured = ['main', 'other']) =>
        takenReferences(database, { account, configured }, wanted);
      expect(await at('main', number)).toEqual(new Set([number, `${number}.2`]));
      expect(await at('main', `${number}-2`)).toEqual(new Set([`${number}-2`]));
      expect(await at('main', `${number}-3`)).toEqual(new Set());
      expect(await at('other', number)).toEqual(new Set());
      // The account may have got another name.
      expect(await at('renamed', number, ['renamed', 'other'])).toEqual(new Set([number, `${number}.2`]));
    });

    it.each(['refused', 'incomplete'] as const)(
      'takes up what is %s when a new event comes for its document',
      async (state) => {
        const { id, area } = await ended(state);
        const addressee = { eventId: 'e-2', userId: 'bo', deviceName: 'desk-2' };
        const event = {
          area,
          bookedOn: 'transport-booking',
          documentId: 'd-1',
          shipmentId: 's-1',
          addressee,
          now: LATER,
        } as const;
        expect(await reopenByDocument(database, event)).toBe(id);
        expect(await loadConsignment(database, id)).toMatchObject({
          state: 'received',
          run: 2,
          runStartedAt: LATER,
          dueAt: LATER,
          attempts: 0,
          addressee,
        });
      },
    );

    it.each(
      statesThat(({ newRun }) => newRun === 'by-event').flatMap((state) =>
        (['ims', 'sibling', 'account', null] as const).map((waitingFor) => [state, waitingFor] as const),
      ),
    )(
      'begins a new run of what is %s and waited for %s by an event as by an operator, but keeps what was written before',
      async (state, waitingFor) => {
        const { id, area } = await arrived();
        const before = await write(
          {
            ...(await taken(id)),
            ...{ state, waitingFor, plan: plan(['box-1', 'box-2']), reference: randomUUID(), dueAt: null },
            ...{ parts: [bookedPart(1), part(2, { state: 'refused' })], effects: writtenBefore() },
            ...{ claimed: true, compensating: true, parkedUntil: SOON, attempts: 3, run: 2 },
            shortfalls: [{ key: 'no-country', values: { shipmentNumber: '10045' } }],
          },
          { keepLease: 'give-back' },
        );
        const addressee = { eventId: 'e-2', userId: 'bo', deviceName: 'desk-2' };
        const event = { area, documentId: 'd-1', shipmentId: 's-1', addressee, now: LATER } as const;
        await reopenByDocument(database, { ...event, bookedOn: 'transport-booking' });
        expect(await loadConsignment(database, id)).toEqual({
          ...newRun({ ...before, addressee }, LATER),
          version: before.version + 1,
          // Their keys name the run, and their messages the event: none is taken for one of the new run. None is open.
          effects: before.effects,
        });
      },
    );

    /** Of run 2, one of each kind, in each state in which a write can have ended, and one of run 1. */
    function writtenBefore(): Consignment['effects'] {
      const to = { eventId: 'e-1', userId: 7, deviceName: 'desk-1' };
      const calls: readonly EffectCall[] = [
        { kind: 'tracking', containerId: 'box-1', trackingNumber: 'T-1', trackingUrl: null },
        { kind: 'carriers-number', number: 'C-1' },
        { kind: 'attachment', fileName: 'a.pdf', pages: 1 },
        { kind: 'return-attachment', fileName: 'r.pdf' },
        { kind: 'customs-paper', paper: 'cn22', fileName: 'c.pdf' },
        { kind: 'print' },
        { kind: 'error-sheet', fileName: 'e.pdf', target: null },
        { kind: 'print-error-sheet', fileName: 'e.pdf', template: null },
        { kind: 'work-status', status: 'FAILED' },
        { kind: 'message', to, message: { key: 'no-country', values: { shipmentNumber: '10045' } } },
        { kind: 'not-allowed-notice', to },
        { kind: 'still-booked-notice', to },
      ];
      const states = ['done', 'not-allowed', 'failed', 'unknown'] as const;
      const ofRun2 = states.flatMap((state) =>
        calls.map((call) => ({ key: `${call.kind}-${state}:2`, wave: 1, call, state, note: null })),
      );
      const [first] = ofRun2;
      return first ? [{ ...first, key: 'tracking:1' }, ...ofRun2] : [];
    }

    it.each(['closed', 'cancelled', 'skipped'] as const)(
      'leaves what is %s as it is when another event comes',
      async (state) => {
        const { id, area } = await ended(state);
        const addressee = { eventId: 'e-2', userId: null, deviceName: null };
        const event = {
          area,
          bookedOn: 'transport-booking',
          documentId: 'd-1',
          shipmentId: 's-1',
          addressee,
          now: LATER,
        } as const;
        expect(await reopenByDocument(database, event)).toBeNull();
        expect((await loadConsignment(database, id)).state).toBe(state);
      },
    );

    it('writes the state skipped under the name that older instances read', async () => {
      const { id } = await ended('skipped');
      const rows = await database.query('select state from consignment where id = $1', [id]);
      expect(rows).toEqual([{ state: 'set-aside' }]);
      expect((await loadConsignment(database, id)).state).toBe('skipped');
    });

    it('leaves what is under way or held as it is when another event comes', async () => {
      const { id, area } = await arrived();
      const addressee = { eventId: 'e-2', userId: null, deviceName: null };
      const event = {
        area,
        bookedOn: 'transport-booking',
        documentId: 'd-1',
        shipmentId: 's-1',
        addressee,
        now: LATER,
      } as const;
      expect(await reopenByDocument(database, event)).toBeNull();
      await write({ ...(await taken(id)), state: 'refused', dueAt: null });
      expect(await reopenByDocument(database, event)).toBeNull();
    });

    it('cancels the bookings of a shipment that are older than the cancellation, never a newer one', async () => {
      const old = await arrived();
      const { area } = old;
      await arrived({ area, documentId: 'd-2', now: LATER });
      await ended('refused', { area, documentId: 'd-3' });
      await arrived({ area, documentId: 'd-4', shipmentId: 's-2' });
      const wish = { area, documentId: null, shipmentIds: ['s-1'], before: SOON, by: WISH, now: SOON };
      expect(await requestCancel(database, wish)).toEqual([old.id]);
      expect(await loadConsignment(database, old.id)).toMatchObject({ cancelRequest: WISH, dueAt: SOON });
    });

    it('cancels the booking of the document that is named, and no other of the shipment', async () => {
      const { id, area } = await arrived();
      await arrived({ area, documentId: 'd-2' });
      const wish = { area, documentId: 'd-1', shipmentIds: ['s-1'], before: NOON, by: WISH, now: SOON };
      expect(await requestCancel(database, wish)).toEqual([id]);
    });

    it('has each worker who waits told until it is noted that he was, once in a run', async () => {
      const { id, area } = await arrived();
      const fresh = await arrived({ area, documentId: 'd-2', now: LATER });
      const done = await ended('closed');
      const waiting = async (now = LATER) =>
        (await takeWaiting(database, { now, since: SOON, areas: [area], limit: 1_000 })).map((one) => one.id);
      const first = await waiting();
      expect(first).toContain(id);
      expect(first).not.toContain(fresh.id);
      expect(first).not.toContain(done.id);
      expect(await waiting()).not.toContain(id);
      const muchLater = new Date(LATER.getTime() + 31_000);
      expect(await waiting(muchLater)).toContain(id);
      await markWaitingTold(database, await loadConsignment(database, id), muchLater);
      expect(await waiting(new Date(muchLater.getTime() + 31_000))).not.toContain(id);
      await write({ ...(await taken(id)), run: 2 });
      expect(await waiting()).toContain(id);
    });

    it('gives labels back byte for byte, in order; those of a part that come again replace all that it had', async () => {
      const { id } = await arrived();
      const label = (n: number, k: number, text: string) => {
        const bytes = Uint8Array.from([...Buffer.from(text), 0, 255, 128]);
        return { n, k, bytes, sha256: createHash('sha256').update(bytes).digest('hex'), pages: n === 0 ? 2 : null };
      };
      const labels = [label(2, 0, 'c'), label(0, 0, 'whole'), label(1, 1, 'b'), label(1, 0, 'a'), label(0, 1, 'b')];
      const first = await write(await taken(id), { labels });
      await write(first, { labels: [label(1, 0, 'A')] });
      const back = await loadLabels(database, id);
      expect(back).toEqual([label(0, 0, 'whole'), label(0, 1, 'b'), label(1, 0, 'A'), label(2, 0, 'c')]);
      for (const { bytes, sha256 } of back) expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    });

    it('keeps labels together with what they came with, or neither', async () => {
      const { id } = await arrived();
      const claimed = await taken(id);
      const label = (text: string) => ({
        n: 1,
        k: 0,
        bytes: Uint8Array.from([...Buffer.from(text), 0, 255]),
        sha256: text,
        pages: 1,
      });
      await write(claimed, { labels: [label('of another try'), label('first')] });
      expect(await loadLabels(database, id)).toEqual([label('first')]);
      await expect(write(claimed, { labels: [label('late')] })).rejects.toThrow(LeaseLost);
      expect(await loadLabels(database, id)).toEqual([label('first')]);
    });

    it('keeps the labels of the process that has the consignment, where one that has lost it takes over those of an earlier booking', async () => {
      const { id } = await arrived();
      const label = (text: string) => ({
        ...{ n: 1, k: 0, bytes: Uint8Array.from(Buffer.from(text)), sha256: text, pages: 1 },
      });
      const takeOver = (consignment: Consignment, text: string, owner: string) =>
        storeLabels(database, consignment, { labels: [label(text)], owner, now: SOON });
      const lost = await taken(id);
      expect(await takeOver(lost, 'after its end', 'one')).toBe(false);
      const held = await taken(id, 'two', SOON);
      expect(await takeOver(held, 'of the earlier booking', 'two')).toBe(true);
      await write(held, { owner: 'two', now: SOON, labels: [label('of its own booking')] });
      expect(await takeOver(lost, 'late', 'one')).toBe(false);
      expect(await loadLabels(database, id)).toEqual([label('of its own booking')]);
    });

    it('stores a plan only where no other booking of the shipment went on since it was looked at', async () => {
      const { id, area } = await arrived();
      const beside = await arrived({ area, documentId: 'd-2' });
      const planned = (claimed: Consignment, turn: number) => ({
        ...claimed,
        reference: randomUUID(),
        plan: { ...plan(['box-1']), turn },
      });
      const second = await taken(beside.id);
      const seenNow = async (own: Consignment = second) => ({
        others: (await siblingsWithSnapshot(database, own, 's-1')).snapshot,
      });
      const early = await taken(id);
      const unplanned = await seenNow();
      const first = await write(planned(early, 1), await seenNow(early));
      await expect(write(planned(second, 2), unplanned)).rejects.toThrow(SequenceConflict);
      const booking = await seenNow();
      await expect(write(planned(second, 1), booking)).rejects.toMatchObject({ code: '23505' });
      const closed = await write({ ...first, state: 'closed' });
      await expect(write(planned(second, 2), booking)).rejects.toThrow(SequenceConflict);
      const ended = await seenNow();
      await expect(write(planned({ ...second, version: 99 }, 2), ended)).rejects.toThrow(LeaseLost);
      const booked = await write({ ...closed, parts: [bookedPart(1)] });
      const withPart = await seenNow();
      const left = await write({ ...booked, parts: [bookedPart(1, { leftToPerson: true })] });
      const leftToPerson = await seenNow();
      await requestCancelById(database, { id, by: WISH, now: NOON });
      for (const before of [ended, withPart, leftToPerson])
        await expect(write(planned(second, 2), before)).rejects.toThrow(SequenceConflict);
      await write({ ...left, cancelRequest: WISH }, { answersCancelRequest: 'answered' });
      expect(await write(planned(second, 2), leftToPerson)).toMatchObject({ plan: { turn: 2 } });
    });

    it('stores a plan that has seen no other booking while those that came have no plan', async () => {
      const { id, area } = await arrived();
      await arrived({ area, documentId: 'd-2' });
      const own = { ...(await taken(id)), reference: randomUUID(), plan: { ...plan(['box-1']), turn: 1 } };
      expect(await write(own, { others: noSiblings('s-1') })).toMatchObject({ plan: { turn: 1 } });
    });

    it.each(CONSIGNMENT_STATES)('stores a plan beside another booking of the shipment that is %s', async (state) => {
      const { id, area } = await arrived();
      const beside = await arrived({ area, documentId: 'd-2' });
      const planned = { reference: randomUUID(), plan: { ...plan(['box-1']), turn: 1 } };
      await write({ ...(await taken(beside.id)), ...planned, state });
      const { snapshot } = await siblingsWithSnapshot(database, await loadConsignment(database, id), 's-1');
      const own = { ...(await taken(id)), reference: randomUUID(), plan: { ...plan(['box-1']), turn: 2 } };
      expect(await write(own, { others: snapshot })).toMatchObject({ plan: { turn: 2 } });
    });

    it('adds up the requests of a day, for each key, whoever counts them', async () => {
      const [here, there] = [usageStore(database), usageStore(database)];
      const key = randomUUID();
      expect(await here.add(key, '2030-03-04', 0)).toBe(0);
      const totals = await Promise.all([here, there, here].map((usage) => usage.add(key, '2030-03-04', 100)));
      expect(totals.sort((a, b) => a - b)).toEqual([100, 200, 300]);
      expect(await there.add(key, '2030-03-04', -70)).toBe(230);
      expect(await here.add(key, '2030-03-05', 0)).toBe(0);
      expect(await here.add(randomUUID(), '2030-03-04', 0)).toBe(0);
    });

    it('says once a day that a part of the requests is used up', async () => {
      const key = randomUUID();
      const asked = Array.from({ length: 3 }, () => usageStore(database).firstToTell(key, '2030-03-04', 80));
      expect((await Promise.all(asked)).sort()).toEqual(['no', 'no', 'yes']);
      expect(await usageStore(database).firstToTell(key, '2030-03-04', 95)).toBe('yes');
      expect(await usageStore(database).firstToTell(key, '2030-03-05', 80)).toBe('yes');
    });

    it('remembers what was told in an area', async () => {
      const notice = { area: randomUUID(), topic: 'not-allowed' };
      expect(await wasSent(database, notice)).toBe(false);
      await markSent(database, notice, NOON);
      await markSent(database, notice, NOON);
      expect(await wasSent(database, notice)).toBe(true);
      expect(await wasSent(database, { ...notice, topic: 'else' })).toBe(false);
    });

    it('keeps nothing of a transaction that fails', async () => {
      const area = randomUUID();
      const attempt = database.transaction(async (sql) => {
        const addressee = { eventId: 'e-1', userId: null, deviceName: null };
        await insertConsignment(sql, {
          area,
          bookedOn: 'transport-booking',
          documentId: 'd-1',
          shipmentId: 's-1',
          addressee,
          now: NOON,
        });
        throw new Error('no');
      });
      await expect(attempt).rejects.toThrow('no');
      expect(await database.query('select 1 from consignment where area = $1', [area])).toEqual([]);
    });

    it('finds no consignment under an id that nobody has', async () => {
      expect(await findConsignment(database, 'nobody')).toBeNull();
      await expect(loadConsignment(database, 'nobody')).rejects.toThrow('nobody');
    });

    it('does nothing when its tables are made a second time, also by two at once', async () => {
      expect(await Promise.all([migrate(database), migrate(database)])).toEqual([[], []]);
    });
  });
}
