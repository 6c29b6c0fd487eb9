import { setTimeout as sleep } from 'node:timers/promises'
import { findOverdueDeliveries } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { WorkerContext } from '#worker/context.ts'

const PAGE = 500
/** Of one run: a backlog of a hundred thousand is no reason to ask Redis for each of them every few seconds. */
const PAGES = 6
/** Looked at closely in one run. */
const CLOSE_LOOKS = 100

/**
 * Looks at deliveries that are overdue by so many seconds, oldest first.
 * @param how.all every one of them now, because Redis is known to have lost its data; else some, and the next run goes on
 */
export type ReconcileDeliveries = (
  overdueSeconds: number,
  how?: { all?: boolean; signal?: AbortSignal | undefined },
) => Promise<void>

/** The last delivery that was looked at; null at the beginning. */
type Place = { due: string; id: string } | null

/**
 * Re-adds deliveries whose job is gone: Redis was flushed, a bulk was cut short, a worker died between commit and add.
 * Driven from PostgreSQL. Two walks go through all that is overdue and begin again at its end: a quick one that asks whether
 * there is a job, and a slow one that asks where it is.
 */
export function createReconcileDeliveries(
  context: Pick<WorkerContext, 'db' | 'deliveries' | 'logger'>,
): ReconcileDeliveries {
  let asked: Place = null
  let looked: Place = null

  /** @returns where the next page begins */
  async function look(
    overdueSeconds: number,
    page: { after: Place; limit: number; closely: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Place> {
    const { after, limit, closely } = page
    const overdue = await findOverdueDeliveries(context.db, { overdueSeconds, limit, after })
    const restored = await context.deliveries.restore(overdue, { from: 0, before: closely ? limit : 0 })
    if (restored > 0) {
      context.logger.info({ restored, looked_at: overdue.length }, 'restored deliveries whose job was gone')
      // A thousand a second at most, so that fresh leads are not kept waiting.
      await sleep(restored, undefined, { signal }).catch(() => undefined)
    }
    const last = overdue.at(-1)
    return last === undefined || overdue.length < limit ? null : { due: last.due, id: last.delivery_id }
  }

  return async function reconcileDeliveries(overdueSeconds, { all = false, signal } = {}) {
    looked = await look(overdueSeconds, { after: looked, limit: CLOSE_LOOKS, closely: true }, signal)
    if (all) asked = null
    const most = all ? Infinity : PAGES
    for (let pages = 0; pages < most; pages += 1) {
      if (signal?.aborted === true) return
      asked = await look(overdueSeconds, { after: asked, limit: PAGE, closely: false }, signal)
      if (asked === null) return
    }
  }
}
