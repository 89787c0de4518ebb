import type { Sql } from '../../db/database.js';
import { named } from '../../db/named.js';
import type { CarrierSetting } from './assigned-carrier.js';

export interface ShipmentKey {
  readonly area: string;
  readonly shipmentId: string;
}

interface SettingRow {
  readonly carrier_name: string;
  readonly account: string;
  readonly rule: string | null;
  readonly provisional: boolean;
  readonly instead_of: string | null;
  readonly landed: boolean;
  readonly refused: string | null;
  readonly set_at: Date;
}

export async function loadCarrierSetting(sql: Sql, { area, shipmentId }: ShipmentKey): Promise<CarrierSetting | null> {
  const [row] = await sql.query<SettingRow>('select * from carrier_setting where area = $1 and shipment_id = $2', [
    area,
    shipmentId,
  ]);
  if (!row) return null;
  const { carrier_name: carrierName, account, rule, provisional, instead_of: insteadOf, refused } = row;
  return { carrierName, account, rule, provisional, insteadOf, confirmed: row.landed, refused, setAt: row.set_at };
}

/**
 * Stores the intent before the IMS is asked to change the carrier.
 * @returns `decided-later`: a booking has decided since, so this choice from before packing is out of date
 */
export async function keepCarrierSetting(
  sql: Sql,
  { area, shipmentId }: ShipmentKey,
  decision: Omit<CarrierSetting, 'confirmed' | 'refused'> & { readonly decidedAt: 'creation' | 'booking' },
): Promise<'kept' | 'decided-later'> {
  const { carrierName, account, rule, provisional, insteadOf, decidedAt, setAt } = decision;
  const rows = await sql.query(
    ...named(
      `insert into carrier_setting
         (area, shipment_id, carrier_name, account, rule, provisional, instead_of, landed, decided_at, set_at)
       values (:area, :shipmentId, :carrierName, :account, :rule, :provisional, :insteadOf, false, :decidedAt, :setAt)
       on conflict (area, shipment_id) do update
          set carrier_name = :carrierName, account = :account, rule = :rule, provisional = :provisional,
              instead_of = :insteadOf, landed = false, refused = null, decided_at = :decidedAt, set_at = :setAt
        where :decidedAt = 'booking' or carrier_setting.decided_at = 'creation'
       returning area`,
      { area, shipmentId, carrierName, account, rule, provisional, insteadOf, decidedAt, setAt },
    ),
  );
  return rows.length > 0 ? 'kept' : 'decided-later';
}

/** The IMS has confirmed it. */
export async function confirmCarrierSetting(sql: Sql, { area, shipmentId }: ShipmentKey, name: string): Promise<void> {
  await sql.query(
    'update carrier_setting set landed = true, refused = null where area = $1 and shipment_id = $2 and carrier_name = $3',
    [area, shipmentId, name],
  );
}

/** The IMS refused it. @param why its answer, or why it was not asked */
export async function refuseCarrierSetting(
  sql: Sql,
  { area, shipmentId }: ShipmentKey,
  { name, why }: { readonly name: string; readonly why: string },
): Promise<void> {
  await sql.query(
    'update carrier_setting set refused = $4 where area = $1 and shipment_id = $2 and carrier_name = $3 and not landed',
    [area, shipmentId, name, why],
  );
}
