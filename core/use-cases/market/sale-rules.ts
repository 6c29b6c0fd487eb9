import type { Opened } from '#core/closing.ts'
import type { Config } from '#core/config/config.ts'
import type { Db } from '#core/data/database.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import type { SaleWindows } from '#core/domain/market/choice/decide-leads.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/** Rules of selling that administrators change while processes run. */
export interface SaleRules {
  /** hours for which an unsold lead is offered again */
  readonly holdHours: number
  readonly windows: SaleWindows
  /** Reads them now; a failure leaves them as they are. */
  refresh: () => Promise<void>
}

/** Each process reads the settings so often (docs/product.md §10), so that no lead needs a statement for them. */
const REFRESH_MS = 15_000

/**
 * The rules that the settings say, else the environment's. They count 15 seconds after a change at the latest.
 */
export function openSaleRules(
  { config: { market: usual }, logger }: { config: Pick<Config, 'market'>; logger: Logger },
  db: Db,
): Opened<SaleRules> {
  let rules = usual
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    try {
      const { hold_hours, duplicate_days, resale_days } = await readSettings(db)
      rules = {
        holdHours: hold_hours ?? usual.holdHours,
        windows: {
          duplicateDays: duplicate_days ?? usual.windows.duplicateDays,
          resaleDays: resale_days ?? usual.windows.resaleDays,
        },
      }
    } catch (error) {
      logger.warn({ err: error }, 'the settings of the marketplace could not be read')
    } finally {
      reading = undefined
    }
  }
  const refresh = (): Promise<void> => (reading ??= read())
  const timer = setInterval(() => void refresh(), REFRESH_MS)
  timer.unref()
  return {
    part: {
      get holdHours() {
        return rules.holdHours
      },
      get windows() {
        return rules.windows
      },
      refresh,
    },
    close: async () => {
      clearInterval(timer)
      await reading
    },
  }
}
