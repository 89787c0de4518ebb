/** The manifest of one account: frozen at the handover, and printed from this whenever it is asked for. */
export interface Manifest {
  readonly account: string;
  readonly carrierName: string;
  readonly documentId: string;
  /** Lines of an address, the name first; several senders by their names only. */
  readonly sender: readonly string[];
  /** In the area's own time, `YYYY-MM-DD hh:mm`. */
  readonly handedOverAt: string;
  readonly consignments: readonly HandedOver[];
  /** Its headings, in the area's language. */
  readonly words: ManifestWords;
}

export interface HandedOver {
  readonly consignmentId: string;
  readonly shipmentNumber: string;
  readonly carrierNumber: string | null;
  /** In the place of the carrier's number, where the carrier lists its bookings by it. */
  readonly route?: string;
  readonly parcels: readonly { readonly trackingNumber: string; readonly weightGrams: number | null }[];
}

export interface ManifestWords {
  readonly title: string;
  readonly sender: string;
  readonly date: string;
  readonly document: string;
  readonly shipment: string;
  readonly carrierNumber: string;
  /** Missing in manifests from before this heading existed. */
  readonly route?: string;
  readonly trackingNumber: string;
  readonly weight: string;
  readonly consignments: string;
  readonly parcels: string;
  /** Missing in manifests from before this heading existed. */
  readonly withoutWeight?: string;
  readonly driver: string;
  readonly signature: string;
  readonly time: string;
  readonly page: string;
}

/** The totals; parcels without a weight are counted separately. */
export function totalsOf({ consignments }: Manifest) {
  const parcels = consignments.flatMap((consignment) => consignment.parcels);
  const weightGrams = parcels.reduce((sum, parcel) => sum + (parcel.weightGrams ?? 0), 0);
  const withoutWeight = parcels.filter((parcel) => parcel.weightGrams === null).length;
  return { consignments: consignments.length, parcels: parcels.length, weightGrams, withoutWeight };
}
