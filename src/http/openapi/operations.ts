import { AUDIT } from '../api/audit.js';
import { HANDOVER, HANDOVERS } from '../api/manifests.js';
import { FAILED, GIVEN_UP, PARCELS } from '../api/tracking.js';
import { EXPLAIN } from '../api/explain.js';
import { PICKUP_POINTS } from '../api/pickup-points.js';
import { REPLAY } from '../api/replay.js';
import { SUBSCRIBER } from '../api/subscribers.js';
import { FORGET } from '../forget.js';
import { CONSIGNMENT_OPERATIONS } from './consignment-operations.js';
import { INBOX_OPERATIONS } from './inbox-operations.js';
import { type ApiOperation, PDF } from './operation.js';

const IMS_TROUBLE = [404, 409, 502, 503] as const;

const SHIPMENTS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/shipments/{id}/explain',
    tag: 'Shipments',
    summary: 'Which carrier a shipment would get, and why',
    query: EXPLAIN,
    answer: { status: 200, has: ['choice', 'rules', 'printing'] },
    problems: IMS_TROUBLE,
  },
  {
    method: 'post',
    path: '/shipments/{shipment}/forget',
    tag: 'Shipments',
    summary: 'Remove what names the recipient; says what stays, and why',
    query: FORGET,
    answer: { status: 200, has: ['shipmentNumber', 'area', 'consignments', 'removed', 'kept'] },
    problems: [403, 404, 409],
  },
  {
    method: 'post',
    path: '/replay',
    tag: 'Shipments',
    summary: 'Recover missed events of a shipment, a document or a span of time',
    body: { takes: REPLAY, required: true },
    answer: { status: 200, has: ['dryRun', 'results', 'more'] },
    problems: [403, ...IMS_TROUBLE],
  },
  {
    method: 'get',
    path: '/pickup-points',
    tag: 'Shipments',
    summary: 'Pick-up points of an account',
    query: PICKUP_POINTS,
    answer: { status: 200, has: ['pickupPoints'] },
    problems: [404, 409, 422, 502, 503],
  },
];

/** @param path the list's: `/handovers` is the first name of `/manifests` */
function manifestsAt(path: '/manifests' | '/handovers'): readonly ApiOperation[] {
  return [
    {
      method: 'get',
      path,
      tag: 'Manifests',
      summary: 'The list of manifests',
      query: HANDOVERS,
      answer: { status: 200, has: ['manifests', 'handovers', 'cursor'] },
    },
    {
      method: 'get',
      path: `${path}/{documentId}`,
      tag: 'Manifests',
      summary: 'The manifests of a consignment note; also as JSON',
      query: HANDOVER,
      answer: PDF,
      problems: [404],
    },
  ];
}

const TRACKING: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/parcels',
    tag: 'Tracking',
    summary: 'Parcels by status, and what is late',
    query: PARCELS,
    answer: { status: 200, has: ['parcels', 'cursor'] },
  },
  {
    method: 'get',
    path: '/parcels/{trackingNumber}',
    tag: 'Tracking',
    summary: 'A parcel with its events',
    answer: { status: 200, has: ['trackingNumber', 'parcels', 'events'] },
    problems: [404],
  },
  {
    method: 'get',
    path: '/tracking/unrecognised',
    tag: 'Tracking',
    summary: 'Codes of carriers that no table has',
    answer: { status: 200, has: ['codes'] },
  },
  {
    method: 'get',
    path: '/tracking/accounts',
    tag: 'Tracking',
    summary: 'When each carrier called last',
    answer: { status: 200, has: ['accounts'] },
  },
  {
    method: 'get',
    path: '/tracking/given-up',
    tag: 'Tracking',
    summary: 'What the IMS was not told',
    query: GIVEN_UP,
    answer: { status: 200, has: ['givenUp', 'cursor'] },
  },
  {
    method: 'get',
    path: '/tracking/failed',
    tag: 'Tracking',
    summary: 'Callbacks that could not be applied',
    query: FAILED,
    answer: { status: 200, has: ['callbacks', 'cursor'] },
  },
  ...manifestsAt('/manifests'),
  ...manifestsAt('/handovers'),
  {
    method: 'get',
    path: '/audit',
    tag: 'Audit',
    summary: 'What operators did',
    query: AUDIT,
    answer: { status: 200, has: ['entries', 'cursor'] },
  },
  {
    method: 'get',
    path: '/audit.csv',
    tag: 'Audit',
    summary: 'The same as a table',
    query: AUDIT,
    answer: { status: 200, type: 'text/csv' },
  },
];

const SUBSCRIBERS: readonly ApiOperation[] = [
  {
    method: 'post',
    path: '/subscribers',
    tag: 'Webhooks',
    summary: 'Subscribe an address',
    body: { takes: SUBSCRIBER, required: true },
    answer: { status: 201, has: ['id', 'secret'] },
    problems: [403, 409],
  },
  {
    method: 'get',
    path: '/subscribers',
    tag: 'Webhooks',
    summary: 'The subscribers',
    answer: { status: 200, has: ['subscribers'] },
  },
  {
    method: 'delete',
    path: '/subscribers/{id}',
    tag: 'Webhooks',
    summary: 'Remove a subscriber',
    answer: { status: 204 },
    problems: [403, 404],
  },
  {
    method: 'post',
    path: '/subscribers/{id}/rotate',
    tag: 'Webhooks',
    summary: 'A new secret',
    answer: { status: 200, has: ['secret', 'previousSecretUntil'] },
    problems: [403, 404],
  },
  {
    method: 'get',
    path: '/subscribers/{id}/dead-letters',
    tag: 'Webhooks',
    summary: 'Deliveries that were given up',
    answer: { status: 200, has: ['deadLetters'] },
    problems: [404],
  },
  {
    method: 'post',
    path: '/subscribers/{id}/dead-letters/send',
    tag: 'Webhooks',
    summary: 'Send all of them again',
    answer: { status: 202, has: ['sent'] },
    problems: [403, 404],
  },
  {
    method: 'post',
    path: '/subscribers/{id}/dead-letters/{letter}/send',
    tag: 'Webhooks',
    summary: 'Send one of them again',
    answer: { status: 202, has: ['sent'] },
    problems: [403, 404],
  },
];

/** Every request of the API. */
export const OPERATIONS: readonly ApiOperation[] = [
  ...CONSIGNMENT_OPERATIONS,
  ...SHIPMENTS,
  ...INBOX_OPERATIONS,
  ...TRACKING,
  ...SUBSCRIBERS,
];
