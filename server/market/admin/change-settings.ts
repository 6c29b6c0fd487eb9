import {
  RULE_SETTINGS,
  TEXT_SETTINGS,
  type MarketplaceSettings,
  type SettingsChange,
} from '#core/contract/market/money/marketplace-settings.ts'
import { hurryWaiting } from '#core/data/market/late/late-credits.ts'
import { changeSetting, lockSettings, readSettings } from '#core/data/market/marketplace-settings.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../audit-change.ts'
import { showSettings } from './show-settings.ts'

/** Changes the settings that differ, each with its value before in the audit log. */
export async function changeSettings(
  context: Pick<ServerContext, 'db' | 'config' | 'market'>,
  by: By,
  { note, ...wish }: SettingsChange,
): Promise<MarketplaceSettings> {
  await context.db.transaction().execute(async (trx) => {
    await lockSettings(trx)
    const now = await readSettings(trx)
    const changed = [...TEXT_SETTINGS, ...RULE_SETTINGS].filter(
      (key) => wish[key] !== undefined && wish[key] !== now[key],
    )
    for (const key of changed)
      await changeSetting(trx, {
        key,
        value: String(wish[key] ?? ''),
        changed_by: by.caller.user_id,
        reason: note,
      })
    if (changed.length > 0) {
      const before = Object.fromEntries(changed.map((key) => [key, now[key]]))
      const after = Object.fromEntries(changed.map((key) => [key, wish[key]]))
      // Late credits that wait for the next day may fit now.
      if (changed.includes('late_credit_daily_dollars')) await hurryWaiting(trx)
      await auditChange(trx, by, { action: 'settings_changed', details: { before, after, note } })
    }
  })
  await context.market.refreshRules()
  return await showSettings(context)
}
