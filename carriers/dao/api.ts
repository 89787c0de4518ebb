import type { HttpAnswer, Problem, Tools } from '../contract/index.js';
import { CarrierRejected, tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient, problemOf, textAt } from '../toolkit/index.js';
import type { DaoConfig } from './config.js';

/* Paths, parameters and words of DAO's API, in its Danish spelling: see Sources in this folder's README. */

/** Stands in `status` of every JSON answer; the HTTP status is 200 either way. */
export const FAILED = 'FEJL';
export const OK = 'OK';

export type DaoQuery = Readonly<Record<string, string>>;

/** DAO takes orders by GET. The limit is long: DAO has no search, so an answer missed costs a person's time. */
const ORDER = { method: 'GET', effect: 'change', timeoutMs: 60_000 } as const;
const READ = { method: 'GET', effect: 'read' } as const;

export const daoApi = ({ customerId, code }: DaoConfig, tools: Tools) =>
  jsonClient(
    tools,
    { query: { kundeid: customerId, kode: code, format: 'JSON' }, problemsFrom },
    {
      // DAO has no product codes: the path is the product.
      home: { ...ORDER, path: '/DAODirekte/leveringsordre.php' },
      'pickup-point': { ...ORDER, path: '/DAOPakkeshop/leveringsordre.php' },
      abroad: { ...ORDER, path: '/DAODirekte/UdlandLeveringsOrdre.php' },
      return: { ...ORDER, path: '/DAOPakkeshop/returordre.php' },
      label: { ...READ, path: '/HentLabel.php', answer: 'pdf' },
      cancel: { ...ORDER, path: '/AnnullerePakke.php' },
      track: { ...READ, path: '/TrackNTrace_v2.php' },
      points: { ...READ, path: '/DAOPakkeshop/FindPakkeshop.php' },
      /** DAO's list of its error codes. */
      probe: { ...READ, path: '/FejlKoder.php', timeoutMs: PROBE_TIMEOUT_MS },
    },
  );

/** DAO's own words are Danish. */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  const json = tryParseJson(answer.body);
  if (textAt(json, 'status') !== FAILED) return [];
  const code = textAt(json, 'fejlkode');
  const text = textAt(json, 'fejltekst') ?? 'DAO gives no reason';
  return [problemOf(code, code === null ? text : `${text} (${code})`)];
}

/** A complaint about the account, not about the parcel; we do not know DAO's codes. */
const ABOUT_THE_ACCOUNT = /\b(kundeid|kode)\b/i;

/** A refusal that is not about the account is about the parcel. */
export function isAboutTheParcel(error: unknown): boolean {
  const isRefused = error instanceof CarrierRejected && error.because === 'data';
  return isRefused && !error.problems.some(({ text }) => ABOUT_THE_ACCOUNT.test(text));
}
