import { z } from 'zod'
import { ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { pendingAdjustmentSchema } from '#core/contract/market/money/pending-adjustment.ts'
import { formatMoney } from '#web/format/money.ts'

/** The entry; or, above the limit, what waits for a second administrator. */
export const adjustedSchema = z.union([ledgerEntrySchema, pendingAdjustmentSchema])

/** Says what came of an adjustment or a pay-out. */
export function sayAdjusted(adjusted: z.infer<typeof adjustedSchema>) {
  return 'balance_after' in adjusted
    ? `The balance is ${formatMoney(adjusted.balance_after)}`
    : 'It waits until another administrator confirms it, under Money'
}
