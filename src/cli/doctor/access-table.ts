import type { OperationAccess, CapabilityReport } from '../../ims/calls/capabilities.js';
import type { OperationName } from '../../ims/operations.js';
import type { Printing } from '../../printing/print-body.js';

/** What each operation of the IMS is for, in an operator's words; the order of the table. */
const GIVES: Readonly<Record<OperationName, string>> = {
  loadShipment: 'read shipments and book them',
  patchShippingContainer: 'tracking numbers on containers',
  patchShipment: "carrier and carrier's number on shipments",
  setWorkStatus: 'ON_GOING, DONE and FAILED on documents',
  attachToDocument: 'labels attached to documents',
  attachToShipment: 'labels attached to shipments',
  printResource: 'labels printed (printResource)',
  printDocument: 'labels printed (printDocument)',
  postEventMessage: 'messages to workers',
  loadSeller: 'sellers as senders',
  loadContext: 'the area as sender',
  loadDocument: 'read documents',
  listDocuments: 'find documents of missed events',
  listShipments: 'find shipments of missed events',
  listCarriers: "carriers' settings in the IMS",
  listSellers: "sellers' settings in the IMS",
  listPackedItems: 'dangerous goods in what is packed',
};

const ALLOWED = { yes: 'yes', no: 'NO', unknown: 'unknown' } as const;
const WIDTH = Math.max(...Object.values(GIVES).map((text) => text.length));

/** What the client gets in an area and what it does not, line by line. */
export function accessTable(
  { scopes, operations }: CapabilityReport,
  { mode }: Pick<Printing, 'mode'>,
): readonly string[] {
  const byName = new Map(operations.map((row) => [row.operation, row]));
  const names = (Object.keys(GIVES) as OperationName[]).filter((name) => !NOT_USED[mode].includes(name));
  const rows = names.flatMap((name) => byName.get(name) ?? []);
  const asked = rows.some(({ allowed }) => allowed === 'no')
    ? ['Ask the operator of the IMS to give the client api/full.']
    : [];
  const said = scopes === null ? 'a token that does not say its scopes' : scopes.join(' ');
  return [said, ...rows.map(lineOf), ...asked];
}

/** Without it nothing can be booked. */
export function booksNothing({ operations }: CapabilityReport): boolean {
  return operations.some(({ operation, allowed }) => operation === 'loadShipment' && allowed === 'no');
}

const NOT_USED: Readonly<Record<Printing['mode'], readonly OperationName[]>> = {
  resource: ['printDocument'],
  document: ['printResource'],
  none: ['printResource', 'printDocument'],
};

function lineOf({ operation, allowed, lost }: OperationAccess): string {
  const gives = GIVES[operation].padEnd(WIDTH);
  return `${gives}  ${ALLOWED[allowed]}${allowed === 'yes' ? '' : `${allowed === 'no' ? ':' : '; if not:'} ${lost}`}`;
}
