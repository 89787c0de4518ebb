/** The parts of generated addresses and names in one country. Each postal code really belongs to its town. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly currencyCode: string;
  /** Approximate price of one Danish krone in the country's currency. */
  readonly perKrone: number;
  /** `needed`: the country is outside the customs union of the EU. */
  readonly customs: 'needed' | 'not-needed';
  readonly districts: readonly District[];
  /** Streets where companies are, besides the streets of the towns. */
  readonly businessStreets: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** A company's name combines one entry of each list. */
  readonly companies: {
    readonly names: readonly string[];
    readonly trades: readonly string[];
    readonly forms: readonly string[];
  };
  /**
   * Each `#` becomes a digit. The pattern is a number range reserved for fiction where we know one, else only a
   * plausible form.
   */
  readonly mobile: string;
  readonly phone: string;
  /** Each `#` becomes a digit; no authority assigns numbers of this form. */
  readonly vatNumber: string;
  /** Patterns of floors, doors and staircases; each `#` becomes a digit. */
  readonly flats: readonly string[];
  /** Delivery notes of private recipients, by kind of district. */
  readonly notesOnDelivery: Readonly<Record<District['kind'], readonly string[]>>;
  /** Delivery notes of companies. */
  readonly notesOfCompanies: readonly string[];
}

export interface District {
  readonly kind: 'flats' | 'houses';
  readonly streets: readonly string[];
  readonly towns: readonly Town[];
}

/** Postal code, town, and the village when its name differs from the town's. */
export type Town = readonly [postalCode: string, town: string, village?: string];
