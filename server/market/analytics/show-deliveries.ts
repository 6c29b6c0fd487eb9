import {
  EXCEPTIONS_LISTED,
  type DeliveriesQuery,
  type DeliveryFigures,
  type DeliveryReport,
  type Exceptions,
} from '#core/contract/market/delivery-figures.ts'
import {
  nameWebhooks,
  tallyByEndpoint,
  type CountedDeliveries,
  type DeliveryTally,
} from '#core/data/market/figures/delivery-figures.ts'
import { listFailedDeliveries, listWaitingReturns } from '#core/data/market/figures/exceptions.ts'
import { rateDeliveries } from '#core/domain/webhooks/rate-deliveries.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { readPeriod, type Period } from './read-period.ts'

type Context = Pick<ServerContext, 'db'>

const NOTHING = { leads: 0, spend: '0.00', delivered: 0, failed: 0, waiting: 0, median_ms: null }

/** Results of the deliveries of a period's leads, by webhook and by state. */
export async function showDeliveries(
  { db }: Context,
  caller: Pick<Principal, 'user_id' | 'member_user_id'>,
  query: DeliveriesQuery,
): Promise<DeliveryReport> {
  const { of, period } = await readAsked(db, caller, query)
  const [rows, webhooks] = await Promise.all([tallyByEndpoint(db, of), nameWebhooks(db, of)])
  const byWebhook = new Map(rows.flatMap((row) => (row.group === 'webhook' ? [[row.key, row]] : [])))
  return {
    timezone: period.zone,
    from: period.from,
    to: period.to,
    begins_at: period.begins.toISOString(),
    ends_at: period.ends.toISOString(),
    all: judge(rows.find(({ group }) => group === 'all')),
    webhooks: webhooks.map(({ id, name }) => ({
      webhook_config_id: id,
      webhook_name: name,
      ...judge(byWebhook.get(id)),
    })),
    states: rows.flatMap((row) =>
      row.group === 'state' && row.leads > 0 ? { state: row.key, ...judge(row) } : [],
    ),
  }
}

/** Deliveries of the same period that need somebody to act, and returns that wait for a decision. */
export async function listExceptions(
  { db }: Context,
  caller: Pick<Principal, 'user_id' | 'member_user_id'>,
  query: DeliveriesQuery,
): Promise<Exceptions> {
  const { of } = await readAsked(db, caller, query)
  const [failed, returns] = await Promise.all([listFailedDeliveries(db, of), listWaitingReturns(db, of)])
  return {
    failed: failed.slice(0, EXCEPTIONS_LISTED),
    failed_more: failed.length > EXCEPTIONS_LISTED,
    returns: returns.slice(0, EXCEPTIONS_LISTED),
    returns_more: returns.length > EXCEPTIONS_LISTED,
  }
}

async function readAsked(
  db: Context['db'],
  caller: Pick<Principal, 'user_id' | 'member_user_id'>,
  { days, from, to, ...narrowing }: DeliveriesQuery,
): Promise<{ of: CountedDeliveries; period: Period }> {
  const period = await readPeriod(db, caller, { days, from, to })
  const { zone, begins, ends } = period
  return {
    of: { client: caller.user_id, member: caller.member_user_id, zone, begins, ends, ...narrowing },
    period,
  }
}

/** Adds delivery success, by its one definition. */
function judge(row: DeliveryTally | undefined): DeliveryFigures {
  const { leads, spend, delivered, failed, waiting, median_ms } = row ?? NOTHING
  const delivery_rate = rateDeliveries({ delivered, lost: failed, waiting })
  return { leads, spend, delivered, failed, waiting, delivery_rate, median_ms }
}
