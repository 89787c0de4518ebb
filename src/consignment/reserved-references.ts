/**
 * References that this process has given to consignments whose plan is not stored yet, or was stored just now. Areas
 * may share shipment numbers and an account; with this, the second consignment chooses another reference at once
 * instead of failing when it is stored. Between processes the database decides.
 */
export interface ReservedReferences {
  /**
   * References at an account, except those of the same shipment: of its bookings one gets the reference, and the others
   * prepare again.
   */
  others(claim: Omit<Claim, 'reference'>): readonly string[];
  /** Replaces the consignment's earlier reservation. */
  reserve(id: string, claim: Claim): void;
  drop(id: string): void;
}

interface Claim {
  readonly account: string;
  readonly area: string;
  readonly shipmentId: string;
  readonly reference: string;
}

export function createReservedReferences(): ReservedReferences {
  const claims = new Map<string, Claim>();
  return {
    others: ({ account, area, shipmentId }) =>
      [...claims.values()]
        .filter((claim) => claim.account === account && !(claim.area === area && claim.shipmentId === shipmentId))
        .map(({ reference }) => reference),
    reserve: (id, claim) => void claims.set(id, claim),
    drop: (id) => void claims.delete(id),
  };
}
