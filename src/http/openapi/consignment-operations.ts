import { BULK, CSV } from '../api/bulk-request.js';
import { LIST, CONSIGNMENT_QUERY } from '../api/consignment-filter.js';
import { lang } from '../api/language.js';
import { REPRINT } from '../api/reprint/reprint-request.js';
import { RESOLVE } from '../api/resolution-request.js';
import { PARCEL_QUERY, RESOLVE_RETURN } from '../api/return-labels.js';
import { type ApiOperation, PDF } from './operation.js';
import { freeText } from './parameters.js';

const CONSIGNMENT = [
  ...['id', 'area', 'state', 'run', 'bookedOn', 'documentId', 'shipmentId', 'shipmentNumber', 'event', 'account'],
  ...['carrier', 'carrierName', 'rule', 'reference', 'carrierNumber', 'to', 'reason', 'parcels', 'labels', 'parts'],
  ...[
    'timeToLabelMs',
    'labelPages',
    'labelIsVoid',
    'writes',
    'printing',
    'printed',
    'notDone',
    'unconfirmed',
    'needsOperator',
    'waitsForPerson',
    'lastAction',
  ],
  ...['dueAt', 'createdAt', 'updatedAt', 'handedOverAt', 'handedOverBy', 'history', 'requests'],
];

const CONSIGNMENTS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/overview',
    tag: 'Overview',
    summary: 'What needs a person, and how everything goes',
    query: { area: freeText('Only this area, by contextId'), lang },
    answer: {
      status: 200,
      has: ['at', 'area', 'needsPerson', 'underWay', 'bookingsPerHour', 'timeToLabel', 'carriers', 'limits'],
    },
  },
  {
    method: 'get',
    path: '/consignments',
    tag: 'Consignments',
    summary: 'The list of consignments',
    query: LIST,
    answer: { status: 200, has: ['consignments', 'cursor'] },
  },
  {
    method: 'get',
    path: '/consignments/{id}',
    tag: 'Consignments',
    summary: 'One consignment with its history',
    query: CONSIGNMENT_QUERY,
    answer: { status: 200, has: CONSIGNMENT },
    problems: [404],
  },
  {
    method: 'get',
    path: '/consignments/{id}/requests/{n}',
    tag: 'Consignments',
    summary: 'Both sides of a request to the IMS or a carrier, without secrets and personal data',
    answer: { status: 200, has: ['id', 'at', 'name', 'attempt', 'status', 'fault', 'sides', 'curl'] },
    problems: [404],
  },
  {
    method: 'get',
    path: '/consignments/{id}/labels/{n}',
    tag: 'Consignments',
    summary:
      'A label, PDF or ZPL: 0 is the attached file without the labels of cancelled parcels, from 1 the labels of a part',
    answer: PDF,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/consignments/{id}/retry',
    tag: 'Actions',
    summary: 'Try a failed booking again',
    answer: { status: 202, has: ['id', 'lastAction', 'resultAt'] },
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/consignments/{id}/cancel',
    tag: 'Actions',
    summary: 'Cancel a booking at the carrier',
    answer: { status: 202, has: ['id', 'lastAction', 'resultAt'] },
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/consignments/{id}/reprint',
    tag: 'Actions',
    summary: 'Print the label again, also of one parcel, elsewhere or by another profile',
    body: { takes: REPRINT, required: false },
    answer: { status: 202, has: ['id', 'lastAction', 'resultAt'] },
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/consignments/{id}/resolve',
    tag: 'Actions',
    summary: 'Say what the portal of the carrier shows',
    body: { takes: RESOLVE, required: true },
    answer: { status: 202, has: ['id', 'lastAction', 'resultAt'] },
    problems: [403, 404, 409, 422],
  },
  {
    method: 'post',
    path: '/consignments/retry',
    tag: 'Actions',
    summary: 'Try many again',
    body: { takes: BULK.retry, required: true },
    answer: { status: 200, has: ['dryRun', 'accepted', 'refused', 'results'] },
    problems: [403, 409],
  },
  {
    method: 'post',
    path: '/consignments/resolve',
    tag: 'Actions',
    summary: 'Answer for many; as JSON, or as a table with the query',
    query: CSV,
    body: { takes: BULK.resolve, required: true, csv: 'too' },
    answer: { status: 200, has: ['dryRun', 'accepted', 'refused', 'results', 'problems'] },
    problems: [403, 409],
  },
];

const RETURNS: readonly ApiOperation[] = [
  {
    method: 'post',
    path: '/consignments/{id}/return-label',
    tag: 'Return labels',
    summary: 'Ask the carrier for a return label',
    query: PARCEL_QUERY,
    answer: { status: 200, has: ['state'] },
    problems: [403, 404, 409, 422, 502, 503],
  },
  {
    method: 'get',
    path: '/consignments/{id}/return-label',
    tag: 'Return labels',
    summary: 'The return label that is there',
    query: PARCEL_QUERY,
    answer: { status: 200, has: ['state'] },
    problems: [404],
  },
  {
    method: 'get',
    path: '/consignments/{id}/return-label/pdf',
    tag: 'Return labels',
    summary: 'The return label as PDF',
    query: PARCEL_QUERY,
    answer: PDF,
    problems: [404],
  },
  {
    method: 'post',
    path: '/consignments/{id}/return-label/resolve',
    tag: 'Return labels',
    summary: 'Say whether the carrier has made it',
    query: PARCEL_QUERY,
    body: { takes: RESOLVE_RETURN, required: true },
    answer: { status: 200, has: ['state'] },
    problems: [403, 404, 409, 422],
  },
];

export const CONSIGNMENT_OPERATIONS: readonly ApiOperation[] = [...CONSIGNMENTS, ...RETURNS];
