import { randomUUID } from 'node:crypto';
import { type Consignment, labelFileName } from './consignment.js';
import { addToJournal, findConsignment, seize, wishById } from './ledger.js';
import { save } from './save.js';
import { loadLabels } from './label-rows.js';
import { NotPossible, type Resolution, resolve, takeUpAgain } from './machine/by-hand.js';
import { isImsError } from './steps/ims-trouble.js';
import { printLabel } from './steps/write.js';
import { type World, areaOf } from './world.js';

/** There is no consignment with this id. */
export class UnknownConsignment extends Error {
  override readonly name = 'UnknownConsignment';
}

/** What an operator can do with one consignment. Every method throws UnknownConsignment or NotPossible. */
export interface OperatorActions {
  retry(id: string): Promise<Consignment>;
  cancel(id: string): Promise<Consignment>;
  /** Sends the label to the printer once more; the answer says what came of it. */
  reprint(id: string): Promise<Consignment>;
  resolve(id: string, resolution: Resolution): Promise<Consignment>;
  /** @param n 0: the file that was attached; from 1: a part's */
  label(id: string, n: number): Promise<{ readonly bytes: Uint8Array; readonly fileName: string }>;
}

const HOLD_MS = 10_000;

export function operatorActions(world: World, wake: (ids: readonly string[]) => void): OperatorActions {
  const changed = async (id: string, what: string, change: (consignment: Consignment, now: Date) => Consignment) => {
    const after = await changeByHand(world, id, { what, change });
    wake([id]);
    return after;
  };
  return {
    retry: (id) => changed(id, 'retried by operator', takeUpAgain),
    resolve: (id, resolution) =>
      changed(id, `resolved by operator: ${resolution.answer}`, (consignment, now) =>
        resolve(consignment, resolution, now),
      ),
    cancel: async (id) => {
      const consignment = await known(world, id);
      if (['refused', 'cancelled', 'set-aside'].includes(consignment.state))
        throw new NotPossible(`it is ${consignment.state}`);
      await addToJournal(world.database, { id, what: 'cancellation wished by operator', now: world.clock.now() });
      await wishById(world.database, { id, by: { ...consignment.addressee, by: 'operator' }, now: world.clock.now() });
      wake([id]);
      return known(world, id);
    },
    reprint: (id) => reprint(world, id),
    label: async (id, n) => {
      const consignment = await known(world, id);
      const [label] = (await loadLabels(world.database, id)).filter((candidate) => candidate.n === n);
      if (!label) throw new UnknownConsignment(`no label ${n}`);
      return { bytes: label.bytes, fileName: labelFileName(consignment) };
    },
  };
}

async function known(world: World, id: string): Promise<Consignment> {
  const consignment = await findConsignment(world.database, id);
  if (!consignment) throw new UnknownConsignment(`no consignment ${id}`);
  return consignment;
}

interface Change {
  readonly what: string;
  readonly change: (consignment: Consignment, now: Date) => Consignment;
}

async function changeByHand(world: World, id: string, { what, change }: Change): Promise<Consignment> {
  await known(world, id);
  const now = world.clock.now();
  const owner = `operator:${randomUUID()}`;
  const held = await seize(world.database, id, { owner, now, until: new Date(now.getTime() + HOLD_MS) });
  if (!held) throw new NotPossible('it is being worked on at this moment: try again in a few seconds');
  const write = (consignment: Consignment, entries: readonly { what: string; fields: object }[]) =>
    save(world.database, consignment, {
      owner,
      now,
      entries: entries.map((entry) => ({ what: entry.what, fields: { ...entry.fields } })),
      keepLease: 'give-back',
      answersWish: 'stands',
      knownWish: held.cancelWanted,
    });
  try {
    return await write(change(held, now), [{ what, fields: { from: held.state } }]);
  } catch (error) {
    if (error instanceof NotPossible) await write(held, []);
    throw error;
  }
}

/** Under no lease: each time a person asks for a print, one leaves, whoever works on the rest. */
async function reprint(world: World, id: string): Promise<Consignment> {
  const consignment = await known(world, id);
  if (world.printing.mode === 'none')
    throw new NotPossible('printing is switched off ("printing" in the configuration)');
  const attached = consignment.effects.some((effect) => effect.call.kind === 'attachment' && effect.state === 'done');
  if (!attached) throw new NotPossible('no label is attached that could be printed');
  try {
    await printLabel(world, areaOf(world, consignment.area), consignment);
  } catch (error) {
    if (!isImsError(error)) throw error;
    throw new NotPossible(`the IMS did not print it: ${error.message}`);
  }
  await addToJournal(world.database, { id, what: 'reprinted by operator', now: world.clock.now() });
  world.log.info('reprinted by operator', { consignment: id });
  return consignment;
}
