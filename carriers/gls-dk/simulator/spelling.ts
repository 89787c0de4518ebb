/** GLS's names of the fields of a shipment, as its answers and complaints write them. */
const NAMES =
  `UserName Password Customerid Contactid ShipmentDate Reference Addresses Delivery AlternativeShipper Pickup
  Parcels Services Name1 Name2 Name3 Street1 CountryNum ZipCode City Contact Email Phone Mobile Weight Comment Cashservice
  AddOnLiabilityService ShopDelivery DirectShop PrivateDelivery FlexDelivery Deposit NotificationEmail ShopReturn Express10
  Express12`.split(/\s+/);

const BY_LOWER_CASE = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

/** The same JSON with GLS's own spelling: it reads the names of fields in any case. Names that it does not have stay. */
export function inGlsSpelling(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(inGlsSpelling);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [BY_LOWER_CASE.get(name.toLowerCase()) ?? name, inGlsSpelling(value)]),
  );
}
