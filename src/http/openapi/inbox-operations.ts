import { DEAD_LETTERS, RETRY } from '../api/inbox/dead-letters.js';
import { TRY_FIRST } from '../api/inbox/dry-run.js';
import { EVENTS } from '../api/inbox/events.js';
import type { ApiOperation } from './operation.js';

export const INBOX_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/events',
    tag: 'Events',
    summary: 'What came in, and what became of it',
    query: EVENTS,
    answer: { status: 200, has: ['events', 'cursor'] },
  },
  {
    method: 'get',
    path: '/events/{id}',
    tag: 'Events',
    summary: 'One event, as it came and as it is understood',
    answer: { status: 200, has: ['id', 'outcome', 'body', 'understood', 'action', 'consignment', 'tasks'] },
    problems: [404],
  },
  {
    method: 'post',
    path: '/events/{id}/replay',
    tag: 'Events',
    summary: 'Do what it asks for, if that was not done',
    body: { takes: TRY_FIRST, required: false },
    answer: { status: 200, has: ['dryRun', 'eventId', 'outcome', 'because', 'resultAt'] },
    problems: [403, 404, 409, 502, 503],
  },
  {
    method: 'get',
    path: '/dead-letters',
    tag: 'Dead letters',
    summary: 'What was given up: webhooks, updates to the IMS, callbacks, tasks, manifests',
    query: DEAD_LETTERS,
    answer: { status: 200, has: ['deadLetters', 'cursor'] },
  },
  {
    method: 'post',
    path: '/dead-letters/retry',
    tag: 'Dead letters',
    summary: 'Try all that a filter finds again, at most 1,000',
    body: { takes: RETRY, required: true },
    answer: { status: 202, has: ['dryRun', 'retried', 'more'] },
    problems: [403],
  },
  {
    method: 'post',
    path: '/dead-letters/{id}/retry',
    tag: 'Dead letters',
    summary: 'Try one of them again',
    answer: { status: 202, has: ['retried'] },
    problems: [403, 404],
  },
];
