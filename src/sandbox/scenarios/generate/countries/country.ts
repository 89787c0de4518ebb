/** What addresses and people look like in a country. Postal codes and towns are real and belong together. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly currencyCode: string;
  /** What a Danish krone is worth there, roughly. */
  readonly perKrone: number;
  /** Outside the customs union of the EU. */
  readonly customs: 'needed' | 'not-needed';
  readonly districts: readonly District[];
  /** Where companies are, beside those in the towns' streets. */
  readonly businessStreets: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** A company's name is one of each. */
  readonly companies: {
    readonly names: readonly string[];
    readonly trades: readonly string[];
    readonly forms: readonly string[];
  };
  /** Each `#` becomes a digit: a series kept for fiction where we know one, else only a possible form. */
  readonly mobile: string;
  readonly phone: string;
  /** Each `#` becomes a digit; numbers of a form that is not given out. */
  readonly vatNumber: string;
  /** Floors, doors and staircases; each `#` becomes a digit. */
  readonly flats: readonly string[];
  /** What private recipients ask of the driver. */
  readonly notesOnDelivery: Readonly<Record<District['kind'], readonly string[]>>;
  /** What companies ask of the driver. */
  readonly notesOfCompanies: readonly string[];
}

export interface District {
  readonly kind: 'flats' | 'houses';
  readonly streets: readonly string[];
  readonly towns: readonly Town[];
}

/** Postal code, town, and the village where it is not the town itself. */
export type Town = readonly [postalCode: string, town: string, village?: string];
