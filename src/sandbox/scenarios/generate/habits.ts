import { readFileSync } from 'node:fs';
import { programFolder } from '../../../program-files.js';
import { readYaml } from '../../faults/yaml-text.js';
import type { Json } from '../../store/json.js';
import { type Checks, startChecks } from '../checks.js';
import { COUNTRY_CODES } from './countries/index.js';

const FILE = 'src/sandbox/scenarios/generate/carriers.yaml';
const MEMBERS = ['countries', 'recipients', 'pickUpPointId', 'trackingNumber'];

/** Which shipments a carrier accepts, and the patterns of its numbers, in which each `#` becomes a digit. */
export interface Habits {
  /** `null`: any country. */
  readonly countries: readonly string[] | null;
  readonly recipients: 'anybody' | 'persons';
  readonly pickUpPointId: string;
  readonly trackingNumber: string;
}

type HabitsOf = (carrierName: string) => Habits;

let bundled: HabitsOf | null = null;

/** By `carriers.yaml`. @param carrierName in the IMS @throws Error the file cannot be read */
export function habitsOf(carrierName: string): Habits {
  bundled ??= readHabits(readFileSync(`${programFolder()}${FILE}`, 'utf8'));
  return bundled(carrierName);
}

/** @throws Error with every problem and its place */
export function readHabits(text: string): HabitsOf {
  const checks = startChecks();
  const top = checks.object(readYaml(text, { called: FILE }), '', ['carriers', 'others']);
  const named = Object.entries(checks.object(top['carriers'], 'carriers', null));
  const carriers = new Map(named.map(([name, value]) => [name, habitsIn(value, `carriers.${name}`, checks)]));
  const others = habitsIn(top['others'], 'others', checks);
  if (checks.problems.length > 0) throw new Error(`${FILE}: ${checks.problems.join('; ')}`);
  return (carrierName) => carriers.get(carrierName) ?? others;
}

function habitsIn(value: Json | undefined, place: string, checks: Checks): Habits {
  const { countries, recipients, pickUpPointId, trackingNumber } = checks.object(value, place, MEMBERS);
  const codes = checks.list(countries, `${place}.countries`).map(String);
  const strange = codes.filter((code) => !COUNTRY_CODES.includes(code));
  if (strange.length > 0)
    checks.report(`${place}.countries`, `has ${strange.join(', ')}; there are ${COUNTRY_CODES.join(', ')}`);
  const isFine = recipients === undefined || recipients === 'persons';
  if (!isFine) checks.report(`${place}.recipients`, 'must be persons, or missing');
  return {
    countries: countries === undefined ? null : codes,
    recipients: recipients === 'persons' ? 'persons' : 'anybody',
    pickUpPointId: checks.text(pickUpPointId, `${place}.pickUpPointId`),
    trackingNumber: checks.text(trackingNumber, `${place}.trackingNumber`),
  };
}
