/**
 * References that this process has given to consignments whose plan is not stored yet, or was just now. Areas may have the
 * same shipment numbers and an account in common: who chooses meanwhile chooses another one, instead of finding out when it
 * is stored that everything has to be read again. Between processes the database tells.
 */
export interface ReservedReferences {
  /** At an account; not those of the same shipment, of whose bookings one gets the reference and the others look again. */
  others(claim: Omit<Claim, 'reference'>): readonly string[];
  /** Instead of what the consignment was promised before. */
  promise(id: string, claim: Claim): void;
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
    promise: (id, claim) => void claims.set(id, claim),
    drop: (id) => void claims.delete(id),
  };
}
