import type { CarrierAccount, CarrierConnection } from './adapter.js';
import type { Operation } from './classify.js';
import { carrierError } from './classify.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from './errors.js';
import type { Cancellation } from './model.js';

type CarrierError = CarrierRejected | CarrierUnavailable | OutcomeUnknown;

const HIDDEN = '***';
/** Causes further down are dropped with the error that has them. */
const DEEPEST_CAUSE = 8;

/**
 * Makes an account of what an adapter connected: each error becomes one of the contract's, by what its method does, and shows
 * no secret; a refused cancellation is a result, and a refused probe is an answer.
 * @param secrets as `CarrierDefinition.secrets` names them
 */
export function wrapAccount(connection: CarrierConnection, secrets: readonly string[]): CarrierAccount {
  const { book, findByReference, fetchLabels, cancel, quote, track, trackChanges, ...others } = connection;
  const { pickupPoints, returnLabel, probe, closeOut, ...pure } = others;
  const guard =
    (operation: Operation) =>
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await work(...given);
      } catch (error) {
        throw withoutSecrets(carrierError(error, operation), secrets);
      }
    };
  const [reading, changing] = [guard('read'), guard('change')];
  return {
    // A new method needs a line of its own: its errors may show a secret.
    ...onlyKeys<'sender' | 'check' | 'textChanges'>()(pure),
    book: changing(book),
    ...(findByReference && { findByReference: reading(findByReference) }),
    ...(fetchLabels && { fetchLabels: reading(fetchLabels) }),
    ...(cancel && { cancel: refusable(changing(cancel)) }),
    ...(quote && { quote: reading(quote) }),
    ...trackingOf({ track, trackChanges }, reading),
    ...(pickupPoints && { pickupPoints: reading(pickupPoints) }),
    ...(returnLabel && { returnLabel: changing(returnLabel) }),
    ...(probe && { probe: answered(reading(probe)) }),
    ...(closeOut && { closeOut: changing(closeOut) }),
  };
}

type Guard = <Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>;

type Tracking = Pick<CarrierConnection, 'track' | 'trackChanges'>;

function trackingOf({ track, trackChanges }: { [Name in keyof Tracking]: Tracking[Name] | undefined }, reading: Guard) {
  return { ...(track && { track: reading(track) }), ...(trackChanges && { trackChanges: reading(trackChanges) }) };
}

/**
 * The value itself. It does not compile when the value's type has keys besides the named ones: what is passed on as it is, is
 * listed, and what is new is decided.
 */
export function onlyKeys<Key extends PropertyKey>() {
  return <Value extends object>(value: [Exclude<keyof Value, Key>] extends [never] ? Value : never): Value => value;
}

/** Makes a refusal of the carrier a result instead of an error. */
function refusable<Given>(cancel: (given: Given) => Promise<unknown>): (given: Given) => Promise<Cancellation> {
  return async (given) => {
    try {
      await cancel(given);
      return { kind: 'cancelled' };
    } catch (error) {
      if (error instanceof CarrierRejected) return { kind: 'refused', problems: error.problems };
      throw error;
    }
  };
}

/** A refusal is an answer of the carrier too. */
function answered(probe: () => Promise<unknown>): () => Promise<void> {
  return async () => {
    try {
      await probe();
    } catch (error) {
      if (!(error instanceof CarrierRejected)) throw error;
    }
  };
}

/** The error itself where it shows no secret; else one that says the same without it, and without its cause. */
function withoutSecrets(error: CarrierError, secrets: readonly string[]): CarrierError {
  const spellings = secrets
    .filter(Boolean)
    .flatMap((secret) => [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), secret]);
  const hide = (text: string): string => spellings.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  if (textsOf(error).every((text) => hide(text) === text)) return error;
  if (error instanceof CarrierUnavailable) return new CarrierUnavailable(hide(error.message), error.retryAfterMs);
  if (error instanceof OutcomeUnknown) return new OutcomeUnknown(hide(error.message), { work: error.work });
  const problems = error.problems.map(({ code, text, values, ...rest }) => ({
    ...rest,
    code: code === null ? null : hide(code),
    text: hide(text),
    ...(values && { values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, hide(value)])) }),
  }));
  return new CarrierRejected(problems, error.because);
}

/** All that a person or a log can see of an error. */
function textsOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return [String(error ?? '')];
  const problems = error instanceof CarrierRejected ? error.problems : [];
  const said = problems.flatMap(({ code, text, values = {} }) => [code ?? '', text, ...Object.values(values)]);
  return [error.message, error.stack ?? '', ...said, ...textsOf(error.cause, depth + 1)];
}
