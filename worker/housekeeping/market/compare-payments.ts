import type { Db } from '#core/data/database.ts'
import {
  listKeptDisputes,
  listKeptPayments,
  listReceivedPayments,
} from '#core/data/market/payments/kept-money.ts'
import {
  claimComparison,
  failComparison,
  keepDifferences,
  type FoundDifference,
} from '#core/data/market/payments/payment-differences.ts'
import {
  compareDispute,
  comparePayment,
  type KeptPayment,
  type ReportedDispute,
  type ReportedPayment,
} from '#core/domain/market/payments/compare-payment.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { sayReported } from '#core/domain/market/payments/say-reported.ts'
import type { PaymentProvider } from '#core/payments/payment-provider.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'

/** A dispute or a refund may come weeks after its payment. */
const DAYS = 90
/** Younger payments are skipped: their event may still be on its way. */
const UNSETTLED_MS = 2 * 3600 * 1000
const AT_ONCE = 500

/**
 * Compares our payments with those of the payment provider once a day, and lists the differences. It moves no money: an
 * administrator decides. A comparison that breaks off, for example because the provider is away, is repeated two hours
 * later.
 */
export async function comparePayments({
  db,
  logger,
  paymentProvider,
}: Pick<WorkerContext, 'db' | 'logger' | 'paymentProvider'>): Promise<void> {
  if (paymentProvider === undefined) return
  const claimed = await claimComparison(db, DAYS)
  if (claimed === undefined) return
  try {
    const { found, compared } = await compare(db, paymentProvider, claimed)
    await db.transaction().execute((trx) => keepDifferences(trx, { ...claimed, compared }, found))
    logger.info({ compared, differences: found.length }, 'payments are compared with the provider')
  } catch (error) {
    logger.warn({ failure: describeError(error) }, 'payments could not be compared with the provider')
    await failComparison(db, 'The comparison broke off; the log of the worker says why')
  }
}

async function compare(
  db: Db,
  provider: PaymentProvider,
  { at, since }: { at: Date; since: Date },
): Promise<{ found: FoundDifference[]; compared: number }> {
  const until = new Date(at.getTime() - UNSETTLED_MS)
  const found: FoundDifference[] = []
  const seen = new Set<string>()
  let compared = 0
  for await (const batch of inBatches(provider.listPayments(since))) {
    compared += batch.length
    for (const { intent } of batch) seen.add(intent)
    found.push(
      ...(await compareBatch(
        db,
        batch.filter(({ created }) => created < until),
      )),
    )
  }
  for await (const batch of inBatches(provider.listDisputes(since))) {
    compared += batch.length
    found.push(
      ...(await compareDisputes(
        db,
        batch.filter(({ created }) => created < until),
      )),
    )
  }
  // A payment is requested before it is paid. So this list of requests contains each of our payments that the provider
  // has.
  for (const { id, intent, amount } of await listReceivedPayments(db, { since, until })) {
    if (intent === null || seen.has(intent)) continue
    const ours = `received, ${sayReported(requireCents(amount), 'usd')}`
    found.push({ kind: 'not_paid', provider_id: intent, payment_id: id, ours, theirs: 'not there' })
  }
  return { found, compared }
}

async function compareBatch(db: Db, batch: readonly ReportedPayment[]): Promise<FoundDifference[]> {
  const kept = await listKeptPayments(db, {
    ids: batch.map(({ payment }) => payment),
    intents: batch.map(({ intent }) => intent),
  })
  const payments = kept.map((payment): KeptPayment => {
    const { amount, refunded } = payment
    return { ...payment, amount: requireCents(amount), refunded: requireCents(refunded) }
  })
  const byIntent = new Map(payments.map((payment) => [payment.intent, payment]))
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  return batch.flatMap((reported) => {
    const payment = byIntent.get(reported.intent) ?? byId.get(reported.payment)
    return comparePayment(reported, payment).map((difference) => ({
      ...difference,
      provider_id: reported.intent,
      payment_id: payment?.id ?? null,
    }))
  })
}

/** Skips disputes of payments that Leadwire did not create. */
async function compareDisputes(db: Db, batch: readonly ReportedDispute[]): Promise<FoundDifference[]> {
  const disputes = await listKeptDisputes(
    db,
    batch.map(({ id }) => id),
  )
  const kept = new Map(disputes.map((one) => [one.id, { ...one, amount: requireCents(one.amount) }]))
  const intents = batch.flatMap(({ intent }) => intent ?? [])
  const payments = await listKeptPayments(db, { ids: [], intents })
  const byIntent = new Map(payments.map((payment) => [payment.intent, payment]))
  return batch.flatMap((reported) => {
    const payment = byIntent.get(reported.intent)
    if (payment === undefined) return []
    return compareDispute(reported, kept.get(reported.id)).map((difference) => ({
      ...difference,
      provider_id: reported.id,
      payment_id: payment.id,
    }))
  })
}

async function* inBatches<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
