import { sql } from 'kysely'
import {
  SETTINGS,
  type MarketplaceSettings,
  type SettingName,
} from '#core/contract/market/money/marketplace-settings.ts'
import type { Db } from '../database.ts'

/** The marketplace's settings; one that was never set is an empty text. */
export async function readSettings(db: Db): Promise<MarketplaceSettings> {
  const rows = await db
    .selectFrom('marketplace_settings')
    .selectAll()
    .where('key', 'in', SETTINGS)
    .orderBy('changed_at', 'desc')
    .execute()
  const valueOf = (name: SettingName): string => rows.find(({ key }) => key === name)?.value ?? ''
  const [newest] = rows
  return {
    seller_name: valueOf('seller_name'),
    seller_address: valueOf('seller_address'),
    bank_details: valueOf('bank_details'),
    changed_at: newest?.changed_at.toISOString() ?? null,
    changed_by: newest?.changed_by ?? null,
  }
}

/** Locks the settings until the end of the transaction, so that two changes at once are both audited as they were. */
export async function lockSettings(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('marketplace-settings'))`.execute(trx)
}

export async function changeSetting(
  trx: Db,
  setting: { key: SettingName; value: string; changed_by: string; reason: string },
): Promise<void> {
  await trx
    .insertInto('marketplace_settings')
    .values(setting)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value: setting.value,
        changed_by: setting.changed_by,
        reason: setting.reason,
        changed_at: sql<Date>`now()`,
      }),
    )
    .execute()
}
