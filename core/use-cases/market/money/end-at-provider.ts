import type { Kysely } from 'kysely'
import {
  claimProviderEnds,
  postponeProviderEnd,
  removeProviderEnd,
} from '#core/data/market/payments/provider-ends.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { PROVIDER_TIMEOUT_MS, type PaymentProvider } from '#core/payments/payment-provider.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'

const AT_ONCE = 5
/** Seconds of lease for a claim; its requests run at the same time. */
const LEASE_SECONDS = (2 * PROVIDER_TIMEOUT_MS) / 1000
/** Seconds until a failed request is repeated; the last value repeats. */
const WAITS = [5, 60, 600, 3600, 6 * 3600]

interface EndContext {
  db: Kysely<Database>
  logger: Logger
  paymentProvider: PaymentProvider | undefined
}

/**
 * Closes payment pages that must no longer be paid, and removes payment methods that nobody may charge
 * (core/data/market/payments/provider-ends.ts). A worker repeats what failed, so a failure delays nobody. A repeat does
 * no harm. Without a provider they wait.
 * @param only the provider's names of what to end; everything that is due if left out
 */
export async function endAtProvider(
  { db, logger, paymentProvider }: EndContext,
  { only, signal }: { only?: readonly string[]; signal?: AbortSignal } = {},
): Promise<void> {
  if (paymentProvider === undefined || only?.length === 0) return
  for (;;) {
    const claimed = await claimProviderEnds(db, { limit: AT_ONCE, leaseSeconds: LEASE_SECONDS, only })
    await Promise.all(
      claimed.map(async ({ name, kind, tries }) => {
        try {
          await (kind === 'page' ? paymentProvider.closePage(name) : paymentProvider.forgetMethod(name))
          await removeProviderEnd(db, name)
        } catch (error) {
          logger.warn(
            { kind, tries, failure: describeError(error) },
            'the payment provider has not ended what is over',
          )
          await postponeProviderEnd(db, name, WAITS[Math.min(tries, WAITS.length) - 1] ?? 60)
        }
      }),
    )
    if (claimed.length < AT_ONCE || signal?.aborted === true) return
  }
}
