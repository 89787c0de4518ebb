import type { CallName } from './calls.js';
import type { FaultName } from './faults.js';
import { faultNames, handled } from './faults.js';

/**
 * How a booking ends, told from the outside:
 * `taken`: DONE, nothing was repeated. `retried`: asked again by itself, then DONE. `asked`: in doubt, the carrier was
 * asked, then DONE. `person`: in doubt, FAILED, and a person is told to look. `refused`: FAILED and told, nothing is
 * booked. `told`: booked; FAILED, and told what is missing. `warned`: done, and told what to look at. `without`: DONE
 * without what was to be read. `waits`: the document is still PENDING, the worker is told that it takes longer.
 * `left`: told, and the document stays PENDING, because it may be somebody else's. `stuck`: told that the document's status
 * could not be set.
 * DONE also stands for FAILED where the story is a refusal, and for a cancelled booking where it is a cancellation.
 */
export type Outcome =
  'taken' | 'retried' | 'asked' | 'person' | 'refused' | 'told' | 'warned' | 'without' | 'waits' | 'left' | 'stuck';

export interface Stated {
  readonly outcome: Outcome;
  readonly because: string;
}

type Row = Readonly<Record<FaultName, Stated>>;

const taken = (because: string): Stated => ({ outcome: 'taken', because });
const retried = (because: string): Stated => ({ outcome: 'retried', because });
const asked = (because: string): Stated => ({ outcome: 'asked', because });
const person = (because: string): Stated => ({ outcome: 'person', because });
const told = (because: string): Stated => ({ outcome: 'told', because });
const warned = (because: string): Stated => ({ outcome: 'warned', because });

const refused = (because: string): Stated => ({ outcome: 'refused', because });
const without = (because: string): Stated => ({ outcome: 'without', because });
const waits = (because: string): Stated => ({ outcome: 'waits', because });
const left = (because: string): Stated => ({ outcome: 'left', because });
const stuck = (because: string): Stated => ({ outcome: 'stuck', because });

/** What is true wherever a call goes; the rest of a row is about what a lost answer means there. */
const everywhere = {
  '429': retried('429 says that nothing was done.'),
  '429 after 1 s': retried('429 says that nothing was done; it is tried again no sooner than asked for.'),
  refused: retried('Without a connection not a byte has left.'),
  'wrong type': taken('The bytes are what was asked for; what they call themselves does not matter.'),
  '10 MB': taken('It is long, and within what is taken.'),
} satisfies Partial<Row>;

/** @param lost what becomes of a request of which nobody knows whether it was done */
function row(lost: Stated, exceptions: Partial<Row> = {}): Row {
  const cells = faultNames.map((name): [FaultName, Stated] => [name, lost]);
  return { ...(Object.fromEntries(cells) as Record<FaultName, Stated>), ...everywhere, ...exceptions };
}

/** Where the answer is an empty one anyway, there is nothing of it to spoil. */
const emptyAnswer = {
  trickling: taken('The answer has no body that could trickle.'),
  '21 MB': taken('An answer without a body cannot be made longer.'),
} satisfies Partial<Row>;

const aPdf = {
  'wrong type': retried('What calls itself a page is not believed to be a label, whatever it begins with.'),
  '10 MB': told('So much after its end makes it no file to trust: told with the number.'),
} satisfies Partial<Row>;

const repeatedRead = retried('A read changes nothing: it is repeated.');
const askedBefore = retried('Asked before the booking, of which nothing is done yet: it is asked again.');
const repeatedChange = retried('Sent twice it has the same effect as once: it is repeated.');
const printed = warned('A second label confuses more than a missing one: not repeated, and the worker looks.');
const lookedFor = asked(
  'Perhaps booked: looked for by its reference, and booked again only if it is certainly not there.',
);
const unsearchable = person('Perhaps booked, and this carrier can neither be asked nor be sent it twice.');
const linkLost = told('Booked and found, but the link to its label came only in the answer that was lost.');
const cancelledAgain = retried('Cancelling twice does no harm.');
const secondRefused = warned('The second cancellation is refused because the first was heard: probably cancelled.');

const searchRepeated = asked('A search is repeated until it answers.');
const searchAnswered = {
  ...{ '429': searchRepeated, '429 after 1 s': searchRepeated, refused: searchRepeated },
  ...{ 'wrong type': asked('The answer is there.'), '10 MB': asked('The answer is there.') },
} satisfies Partial<Row>;

/** The handled half of a row whose outcome depends on whether the carrier has it. */
function whenHandled(stated: Stated): Partial<Row> {
  return { 'reset after': stated, 'cut off': stated, trickling: stated, hanging: stated, '21 MB': stated };
}

/** What a fault that happens once leads to. */
export const once: Readonly<Record<CallName, Row>> = {
  token: row(retried('Nothing was asked of the IMS yet: another token is asked for.')),
  'set ON_GOING': row(
    retried('Repeated; refused then because it is ON_GOING already, the document tells that it is ours.'),
  ),
  'load shipment': row(repeatedRead),
  'load context': row(repeatedRead),
  'load seller': row(repeatedRead),
  'list carriers': row(repeatedRead),
  'patch container': row(repeatedChange),
  'patch shipment': row(repeatedChange),
  attach: row(retried('A file of the same name replaces the first: it is repeated.')),
  print: row(printed, {
    '302': warned('Not followed; told that it was not printed.'),
    'not JSON': taken('Nobody promises the body of an invocation: the status says that it was taken.'),
    empty: taken('Nobody promises the body of an invocation: the status says that it was taken.'),
  }),
  'set DONE': row(retried('Repeated; refused then because it is DONE already, the document tells that it is.')),
  message: row(retried('A message shown twice is better than one that never arrives.')),
  'pretend book': row(lookedFor),
  'pretend find': row(searchRepeated, searchAnswered),
  'pretend label': row(repeatedRead, aPdf),
  'pretend cancel': row(cancelledAgain, emptyAnswer),
  'bring book': row(lookedFor, whenHandled(linkLost)),
  'bring find': row(linkLost, {
    ...{ '429': linkLost, '429 after 1 s': linkLost, refused: linkLost, 'wrong type': linkLost, '10 MB': linkLost },
  }),
  'bring label': row(repeatedRead, {
    ...aPdf,
    '302': retried('A link to a label may lead on; where it leads is no label.'),
  }),
  'gls-dk book': row(unsearchable),
  'dao book': row(unsearchable),
  'dao label': row(repeatedRead, aPdf),
  'dao cancel': row(cancelledAgain, whenHandled(secondRefused)),
  'postnord point': row(askedBefore),
  'postnord book': row(lookedFor),
  'postnord find': row(searchRepeated, searchAnswered),
  'postnord label': row(searchRepeated, searchAnswered),
  'budbee served': row(askedBefore),
  'budbee book': row(lookedFor),
  'budbee find': row(searchRepeated, searchAnswered),
  'budbee label': row(repeatedRead, aPdf),
  'budbee cancel': row(cancelledAgain, {
    ...whenHandled(secondRefused),
    ...emptyAnswer,
    empty: taken('The answer is an empty one anyway.'),
  }),
  'fragt token': row(repeatedRead),
  'fragt book': row(lookedFor),
  'fragt find': row(searchRepeated, searchAnswered),
  'fragt label': row(repeatedRead, aPdf),
  'homerunner point': row(askedBefore),
  'homerunner book': row(unsearchable),
  'homerunner label': row(repeatedRead, aPdf),
  'webshipper point': row(askedBefore),
  'webshipper book': row(lookedFor),
  'webshipper find': row(searchRepeated, searchAnswered),
  'webshipper label': row(repeatedRead),
  'shipmondo book': row(lookedFor),
  'shipmondo find': row(searchRepeated, searchAnswered),
  'shipmondo label': row(searchRepeated, searchAnswered),
  'shipmondo cancel': row(cancelledAgain, whenHandled(secondRefused)),
  'nshift book': row(unsearchable),
  'nshift cancel': row(cancelledAgain, emptyAnswer),
};

type Lasting = Readonly<Partial<Record<FaultName, Stated>>>;

/** Whatever does harm when it happens once, and is not left out because nothing could be seen. */
function lastingRow(call: CallName, stated: (fault: FaultName) => Stated, leftOut: readonly FaultName[] = []): Lasting {
  const isLeftOut = (name: FaultName) => leftOut.includes(name) || BIG.includes(name);
  const cells = faultNames.filter((name) => once[call][name].outcome !== 'taken' && !isLeftOut(name));
  return Object.fromEntries(cells.map((name) => [name, stated(name)]));
}

/** To us it is cut off, and again and again it is nothing but work for the machine. */
const BIG: readonly FaultName[] = ['10 MB', '21 MB'];
/** Nobody can tell these from an IMS that has nothing to say and does what it is asked for. */
const BELIEVED: readonly FaultName[] = ['not JSON', 'empty'];
const HARMLESS: ReadonlySet<FaultName> = new Set(['wrong type']);
const NOTHING_DONE: ReadonlySet<FaultName> = new Set(['429', '429 after 1 s', 'refused']);

const notBooked = refused('Given up after the time a worker waits: nothing is booked, and that is told.');
const nobodyKnows = person('Whether it is booked cannot be found out: a person is told where to look.');
const noLabel = told('Booked, and given up on its label: told with the number.');
const notWritten = told('Given up on this one, everything else is written: told what is missing.');

const searchTells = asked('Every answer is lost, and the search tells all the same.');

function ofSearch(fault: FaultName): Stated {
  return HARMLESS.has(fault) ? asked('The answer is there.') : nobodyKnows;
}

function ofUnsearchable(fault: FaultName): Stated {
  return NOTHING_DONE.has(fault) ? notBooked : unsearchable;
}

function ofBooking(handledThen: Stated): (fault: FaultName) => Stated {
  return (fault) => (handled.has(fault) ? handledThen : notBooked);
}

/**
 * What a fault that never ends leads to, with a document that is not ON_GOING any more. Left out are cancellations, which
 * nobody waits for: they are tried for half an hour whatever the give-up time is; and the token, without which nothing can
 * be said to anybody.
 */
export const lasting: Readonly<Partial<Record<CallName, Lasting>>> = {
  'set ON_GOING': lastingRow(
    'set ON_GOING',
    (fault) => {
      if (handled.has(fault)) return retried('Done, and never heard of: the document tells that it is ours, and DONE.');
      return fault === '302'
        ? left('An answer that nobody foresees is no outage: given up and told.')
        : waits('Never ours: tried for as long as the IMS is down, and the worker is told that it takes longer.');
    },
    BELIEVED,
  ),
  'load shipment': lastingRow('load shipment', () => notBooked),
  'load context': lastingRow('load context', () => notBooked),
  'load seller': lastingRow('load seller', () => notBooked),
  'list carriers': lastingRow('list carriers', () => notBooked),
  'patch container': lastingRow('patch container', () => notWritten, BELIEVED),
  'patch shipment': lastingRow('patch shipment', () => notWritten, BELIEVED),
  attach: lastingRow('attach', () => notWritten, BELIEVED),
  print: lastingRow('print', () => warned('It is booked and labelled: told to look at the printer.')),
  'set DONE': lastingRow(
    'set DONE',
    (fault) =>
      handled.has(fault)
        ? retried('Done, and never heard of: after the time a worker waits, the document tells.')
        : stuck('All is done but the status, which cannot be set: told.'),
    BELIEVED,
  ),
  message: lastingRow(
    'message',
    (fault) =>
      handled.has(fault)
        ? retried('The worker has it several times, and we never hear of it.')
        : without('Nobody can be told; FAILED is all that is left to say.'),
    BELIEVED,
  ),
  'pretend book': lastingRow('pretend book', ofBooking(searchTells)),
  'pretend find': lastingRow('pretend find', ofSearch),
  'pretend label': lastingRow('pretend label', () => noLabel),
  'bring book': lastingRow('bring book', ofBooking(linkLost)),
  'bring find': lastingRow('bring find', (fault) => (HARMLESS.has(fault) ? linkLost : nobodyKnows)),
  'bring label': lastingRow('bring label', () => noLabel),
  'gls-dk book': lastingRow('gls-dk book', ofUnsearchable),
  'dao book': lastingRow('dao book', ofUnsearchable),
  'dao label': lastingRow('dao label', () => noLabel),
  'postnord point': lastingRow('postnord point', () => notBooked),
  'postnord book': lastingRow('postnord book', ofBooking(searchTells)),
  'postnord find': lastingRow('postnord find', ofSearch),
  'postnord label': lastingRow('postnord label', (fault) => (HARMLESS.has(fault) ? ofSearch(fault) : noLabel)),
  'budbee served': lastingRow('budbee served', () => notBooked),
  'budbee book': lastingRow('budbee book', ofBooking(searchTells)),
  'budbee find': lastingRow('budbee find', ofSearch),
  'budbee label': lastingRow('budbee label', () => noLabel),
  'fragt token': lastingRow('fragt token', () => notBooked),
  'fragt book': lastingRow('fragt book', ofBooking(searchTells)),
  'fragt find': lastingRow('fragt find', ofSearch),
  'fragt label': lastingRow('fragt label', () => noLabel),
  'homerunner point': lastingRow('homerunner point', () => notBooked),
  'homerunner book': lastingRow('homerunner book', ofUnsearchable),
  'homerunner label': lastingRow('homerunner label', () => noLabel),
  'webshipper point': lastingRow('webshipper point', () => notBooked),
  'webshipper book': lastingRow('webshipper book', ofBooking(searchTells)),
  'webshipper find': lastingRow('webshipper find', ofSearch),
  'webshipper label': lastingRow('webshipper label', () => noLabel),
  'nshift book': lastingRow('nshift book', ofUnsearchable),
  'shipmondo book': lastingRow('shipmondo book', ofBooking(searchTells)),
  'shipmondo find': lastingRow('shipmondo find', ofSearch),
  'shipmondo label': lastingRow('shipmondo label', (fault) => (HARMLESS.has(fault) ? ofSearch(fault) : noLabel)),
};
