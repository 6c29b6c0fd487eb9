import { sql } from 'kysely'
import {
  RULE_SETTINGS,
  TEXT_SETTINGS,
  USUAL_LATE_CREDITS,
  type RuleSetting,
  type SettingName,
  type TextSetting,
} from '#core/contract/market/money/marketplace-settings.ts'
import type { Db } from '../database.ts'

/** The stored settings: a text that was never set is empty, a rule is null. */
export interface StoredSettings extends Record<TextSetting, string>, Record<RuleSetting, number | null> {
  changed_at: string | null
  changed_by: string | null
}

/** Reads the marketplace's settings. */
export async function readSettings(db: Db): Promise<StoredSettings> {
  const rows = await db
    .selectFrom('marketplace_settings')
    .selectAll()
    .where('key', 'in', [...TEXT_SETTINGS, ...RULE_SETTINGS])
    .orderBy('changed_at', 'desc')
    .execute()
  const valueOf = (name: SettingName): string => rows.find(({ key }) => key === name)?.value ?? ''
  const [newest] = rows
  return {
    seller_name: valueOf('seller_name'),
    seller_address: valueOf('seller_address'),
    bank_details: valueOf('bank_details'),
    hold_hours: readRule(valueOf('hold_hours')),
    duplicate_days: readRule(valueOf('duplicate_days')),
    resale_days: readRule(valueOf('resale_days')),
    late_credit_daily_dollars: readRule(valueOf('late_credit_daily_dollars')),
    changed_at: newest?.changed_at.toISOString() ?? null,
    changed_by: newest?.changed_by ?? null,
  }
}

const readRule = (value: string): number | null => (/^\d{1,6}$/.test(value) ? Number(value) : null)

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

/** Most dollars of late credits in one day of the administration. */
export async function readLateCreditLimit(db: Db): Promise<number> {
  const row = await db
    .selectFrom('marketplace_settings')
    .select('value')
    .where('key', '=', 'late_credit_daily_dollars')
    .executeTakeFirst()
  return readRule(row?.value ?? '') ?? USUAL_LATE_CREDITS
}
