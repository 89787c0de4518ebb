import type {
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  CarrierService,
  Confidence,
  CustomsPapers,
  LabelForm,
  Problem,
  Traits,
} from '../../../carriers/contract/index.js';
import { type Capability, type CapabilityName, capabilitiesOf, sampleAccount } from './capabilities.js';

/** Kilograms; no parcel service accepts as much. */
const TOO_HEAVY_GRAMS = 10_000_000;
/** What the checks of the toolkit call a parcel over the limit, which they name in kilograms. */
const TOO_HEAVY = ['too-heavy', 'parcel-too-heavy'];
const NO_SERVICE = 'no-such-service';

export interface ServiceFacts extends CarrierService {
  /** Heaviest parcel in kilograms; `null`: the checks know no limit. */
  readonly heaviestKg: number | null;
}

/** What a carrier can do, as its adapter states it; `null`: not stated. This is what `--json` prints. */
export interface CarrierFacts {
  readonly id: string;
  readonly name: string;
  readonly origin: 'built-in' | 'outside';
  /** By the names of the contract's methods. */
  readonly capabilities: Readonly<Record<CapabilityName, Capability>>;
  readonly labels: readonly LabelForm[];
  readonly services: readonly ServiceFacts[] | null;
  /** What Waybridge does with a booking of an unknown service; `refused`: it does not send it. */
  readonly unknownServices: 'refused' | 'not-checked';
  readonly limits: {
    readonly parcels: number;
    readonly referenceCharacters: number;
    /** As `heaviestKg` of a service, where the rule names none. */
    readonly heaviestKg: number | null;
    /** The weights hold from this country to that one: the limits of some carriers differ. */
    readonly weightsFrom: string | null;
    readonly weightsTo: string | null;
    readonly trackedAtOnce: number;
    readonly trackingCallsPerDay: number | null;
  };
  /** The account's `returnAddress` goes with each booking. */
  readonly takesReturnAddress: boolean;
  /** Papers for customs that Waybridge makes; `null`: none. */
  readonly customsPapers: CustomsPapers['form'] | null;
  /** Codes of services that have postal papers, whatever the others have. */
  readonly postalServices: readonly string[];
  readonly repeatedReference: Traits['repeatedBooking'];
  /** What Waybridge does when the answer to a booking is lost. */
  readonly lostAnswer: 'looked-up' | 'sent-again' | 'left-to-a-person';
  /** After this long a booking is certainly found; `null`: there is no search. */
  readonly foundAfterMs: number | null;
  readonly confidence: Confidence | null;
}

function papersOf({ customsPapers }: Traits): Pick<CarrierFacts, 'customsPapers' | 'postalServices'> {
  return { customsPapers: customsPapers?.form ?? null, postalServices: customsPapers?.postalServices ?? [] };
}

/** Reads the traits, connects with the settings of the sample, and tries the checks, which are pure; sends nothing. */
export function factsOfCarrier(adapter: CarrierAdapter, origin: CarrierFacts['origin']): CarrierFacts {
  const { id, name, traits, sample } = adapter;
  const account = sampleAccount(adapter);
  const heaviest = (service: string | null) => heaviestKg(account, { ...sample.request, service });
  const services = traits.services?.map(({ code, name }) => ({ code, name, heaviestKg: heaviest(code) }));
  return {
    ...{ id, name, origin },
    capabilities: capabilitiesOf(adapter),
    labels: traits.labels,
    services: services ?? null,
    unknownServices: refusesUnknown(account, sample.request) ? 'refused' : 'not-checked',
    limits: {
      parcels: traits.maxParcels,
      referenceCharacters: traits.maxReferenceLength,
      heaviestKg: heaviest(sample.request.service),
      weightsFrom: sample.request.sender.address.countryCode,
      weightsTo: sample.request.recipient.address.countryCode,
      trackedAtOnce: traits.trackAtOnce ?? 1,
      trackingCallsPerDay: traits.trackCallsPerDay ?? null,
    },
    takesReturnAddress: traits.takesReturnAddress ?? false,
    ...papersOf(traits),
    repeatedReference: traits.repeatedBooking,
    lostAnswer: lostAnswer(account, traits),
    foundAfterMs: account.findByReference ? traits.bookingVisibleAfterMs : null,
    confidence: traits.confidence ?? null,
  };
}

/** Decided by the same function as for a booking. */
function lostAnswer({ findByReference }: CarrierAccount, { repeatedBooking }: Traits): CarrierFacts['lostAnswer'] {
  if (findByReference) return 'looked-up';
  return repeatedBooking === 'books-again' ? 'left-to-a-person' : 'sent-again';
}

function heaviestKg(account: CarrierAccount, request: BookingRequest): number | null {
  const parcels = request.parcels.slice(0, 1).map((parcel) => ({ ...parcel, weightGrams: TOO_HEAVY_GRAMS }));
  const [found] = problemsOf(account, { ...request, parcels }).filter(({ code }) => TOO_HEAVY.includes(code ?? ''));
  const limit = Number(found?.values?.['limit'] || Number.NaN);
  return Number.isFinite(limit) ? limit : null;
}

function refusesUnknown(account: CarrierAccount, request: BookingRequest): boolean {
  return problemsOf(account, { ...request, service: NO_SERVICE }).some(({ code }) => code === 'unknown-service');
}

/** Empty when the check of a carrier from outside throws: the cases of the contract report that. */
function problemsOf(account: CarrierAccount, request: BookingRequest): readonly Problem[] {
  try {
    return account.check?.(request) ?? [];
  } catch {
    return [];
  }
}
