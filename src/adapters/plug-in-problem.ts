import { getMetadataStorage } from 'class-validator';
import { CASE_OPTIONS } from '../../carriers/testing/suite.js';
import {
  CONTRACT_VERSION,
  type CarrierAdapter,
  FIELD_NAMES,
  type JsonObject,
  isDefinedCarrier,
  isJsonObject,
} from '../../carriers/contract/index.js';
import { secretsIn } from '../../carriers/contract/define-carrier.js';
import { isText } from './unchecked.js';
import { operatorFiles } from '../program-files.js';
import { traitsProblem } from './traits-problem.js';

const MAX_ERROR_CHARACTERS = 300;
const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** One check of a plug-in: the problem, to be read after the plug-in's name; `null`: none. */
type Check = (adapter: CarrierAdapter, given: JsonObject) => string | null;

/**
 * What is wrong with a plug-in; pure but for `connect`, which is called once with the sample's settings.
 * @param given the default export of its module
 * @param taken ids of the carriers that are there already
 * @returns the first problem, to be read after the plug-in's name; `null`: it can be used
 */
export function plugInProblem(given: unknown, taken: readonly string[]): string | null {
  if (!isJsonObject(given)) return 'has no default export: it must be { contract, adapter, simulator }';
  const { contract, adapter, simulator } = given;
  if (contract === undefined)
    return `does not say its contract: write contract: ${CONTRACT_VERSION} beside the adapter`;
  if (contract !== CONTRACT_VERSION)
    return `is written for contract ${String(contract)}, and this Waybridge has contract ${CONTRACT_VERSION}: install versions that fit`;
  if (!isJsonObject(adapter)) return 'has no adapter in its default export';
  if (typeof simulator !== 'function') return 'has no simulator: it must be a function that loads one';
  const carrier = adapter as unknown as CarrierAdapter;
  if (taken.includes(carrier.id)) return `has the id ${carrier.id}, which another carrier has already`;
  for (const check of CHECKS) {
    const problem = check(carrier, adapter);
    if (problem !== null) return problem;
  }
  return casesProblem(given);
}

function casesProblem({ cases = {} }: JsonObject): string | null {
  if (!isJsonObject(cases)) return `has cases that are no object of options (${CASE_OPTIONS.join(', ')})`;
  const unknown = Object.keys(cases).filter((name) => !CASE_OPTIONS.some((each) => each === name));
  if (unknown.length === 0) return null;
  return `has cases that are not known: ${unknown.join(', ')} (known: ${CASE_OPTIONS.join(', ')})`;
}

const CHECKS: readonly Check[] = [
  ({ id }) => (isText(id) && ID.test(id) ? null : 'has no id: it must be small letters, digits and hyphens'),
  ({ name }) => (isText(name) ? null : 'has no name: it must be a text that people read'),
  ({ baseUrl }) => (isText(baseUrl) && URL.canParse(baseUrl) ? null : 'has no baseUrl: it must be an absolute address'),
  ({ Config }) => (isSettingsClass(Config) ? null : 'has no Config: it must be a class whose settings are decorated'),
  traitsProblem,
  fieldsProblem,
  requestFieldsProblem,
  textsProblem,
  definitionProblem,
  sampleProblem,
  accountProblem,
  customerProblem,
];

function isSettingsClass(Config: unknown): boolean {
  return typeof Config === 'function' && settingNames(Config as CarrierAdapter['Config']).length > 0;
}

function fieldsProblem({ fields }: CarrierAdapter): string | null {
  if (!isJsonObject(fields)) return 'has no fields: name those that textChanges names, or give {}';
  const unknown = Object.entries(fields).filter(([, field]) => !FIELD_NAMES.some((name) => name === field?.means));
  if (unknown.length === 0) return null;
  return `has fields that mean nothing known: ${unknown.map(([name]) => name).join(', ')} (known: ${FIELD_NAMES.join(', ')})`;
}

const WORD = /^[a-z]+$/;
const REQUEST_FIELDS = new Map([
  ['plain', WORD],
  ['personal', WORD],
  ['secret', /^[a-z0-9_-]+$/],
  ['plainHeaders', /^[a-z0-9-]+$/],
]);

function requestFieldsProblem({ requestFields = {} }: CarrierAdapter): string | null {
  const isFine = ([kind, words]: [string, unknown]) => {
    const form = REQUEST_FIELDS.get(kind);
    return Array.isArray(words) && words.every((word) => typeof word === 'string' && form?.test(word));
  };
  if (isJsonObject(requestFields) && Object.entries(requestFields).every(isFine)) return null;
  return `has requestFields that are wrong: it must be an object of ${[...REQUEST_FIELDS.keys()].join(', ')}, each a list of words or names in small letters, from a to z`;
}

function textsProblem({ texts }: CarrierAdapter): string | null {
  if (texts === undefined) return null;
  const isTable = (table: unknown) => isJsonObject(table) && Object.values(table).every((text) => isText(text));
  if (isJsonObject(texts) && isTable(texts['en']) && Object.values(texts).every(isTable)) return null;
  return 'has texts that are wrong: it must be { en: { code: text }, … } with English among the languages';
}

function sampleProblem({ sample }: CarrierAdapter): string | null {
  if (!isJsonObject(sample)) return 'has no sample: an account and a shipment that its simulator takes';
  const { account, config, secrets, request } = sample as unknown as CarrierAdapter['sample'];
  const wrong = [
    ...(isText(account) ? [] : ['account']),
    ...(typeof config === 'function' ? [] : ['config']),
    ...(isJsonObject(secrets) ? [] : ['secrets']),
    ...(isJsonObject(request) && Array.isArray(request.parcels) && request.parcels.length > 0 ? [] : ['request']),
  ];
  return wrong.length === 0 ? null : `has a sample without ${wrong.join(', ')}`;
}

const NOT_DEFINED =
  'is not made by defineCarrier, so that its errors could show secrets: write defineCarrier({ …, secrets, connect }) around it';

function definitionProblem(adapter: CarrierAdapter): string | null {
  if (typeof adapter.connect !== 'function') return 'has no connect';
  return isDefinedCarrier(adapter) ? null : NOT_DEFINED;
}

/** A mistake in `connect` shall not wait for the first booking. */
function accountProblem(adapter: CarrierAdapter): string | null {
  const { baseUrl } = adapter;
  try {
    const config = sampleConfig(adapter);
    const clock = { now: () => new Date() };
    const account = adapter.connect(config, { http: NOWHERE, clock, baseUrl, files: operatorFiles });
    const isRenamed = 'losses' in account && !('textChanges' in account);
    return isRenamed ? 'connects to an account with losses: it is called textChanges now' : null;
  } catch (error) {
    return `cannot connect with the settings of its sample: ${firstLine(error)}`;
  }
}

/** A name that is none of the settings would make all customers one, and a secret changes while its customer stays. */
function customerProblem(adapter: CarrierAdapter): string | null {
  const { customer = [], settingsInIms, Config } = adapter;
  if (settingsInIms !== undefined && 'customer' in settingsInIms)
    return 'has customer in settingsInIms: write it beside Config, for accounts in the configuration too';
  if (!Array.isArray(customer)) return 'has a customer that is no list: name the settings that identify it';
  const known = settingNames(Config);
  const unknown = customer.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return `has a customer of settings that Config does not have: ${unknown.join(', ')} (known: ${known.join(', ')})`;
  const secret = customer.filter((name: string) => isSecret(adapter, name));
  if (secret.length === 0) return null;
  return `has a customer of secrets: ${secret.join(', ')}: name settings that stay when a password or key is renewed`;
}

const MARK = 'the text of one setting';

/** Whether `secrets` names the text of the setting; in a sample, another setting may have the same text as a secret. */
function isSecret(adapter: CarrierAdapter, name: string): boolean {
  const config = sampleConfig(adapter);
  const value = (config as JsonObject)[name];
  if (typeof value !== 'string') return false;
  const secrets = secretsIn(adapter, Object.assign(config, { [name]: MARK })) ?? [];
  return /^\$\{\w+\}$/.test(value) || secrets.includes(MARK);
}

function settingNames(Config: CarrierAdapter['Config']): readonly string[] {
  const settings = getMetadataStorage().getTargetValidationMetadatas(Config, '', true, false);
  return [...new Set(settings.map(({ propertyName }) => propertyName))];
}

function sampleConfig({ Config, sample, baseUrl }: CarrierAdapter): object {
  return Object.assign(new Config(), sample.config(baseUrl));
}

const NOWHERE = {
  send: () => Promise.reject(new Error('nothing is sent while adapters are loaded')),
  fetchLink: () => Promise.reject(new Error('nothing is sent while adapters are loaded')),
};

/** Shortens an error of a plug-in's code: a start that is refused says one line for each problem. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]?.slice(0, MAX_ERROR_CHARACTERS) ?? '';
}
