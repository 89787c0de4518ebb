import type { Consignment } from '../consignment/consignment.js';

/** Where the parcels go, without name and street. */
export interface Destination {
  readonly postalCode: string | null;
  readonly town: string | null;
  readonly countryCode: string | null;
}

/** @returns `null`: it was not planned */
export function destinationOf({ parts }: Consignment): Destination | null {
  const address = parts[0]?.request.recipient.address;
  return address ? { postalCode: address.postalCode, town: address.city, countryCode: address.countryCode } : null;
}
