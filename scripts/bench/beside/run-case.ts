import { Agent } from 'undici'
import { now } from '../../lab/now.ts'
import { CONNECTIONS, type OpenLoad } from '../open-loop.ts'
import { countTaken, sendAtPace, type Post } from '../send-at-pace.ts'
import type { BenchContext } from '../services.ts'
import { setUpClients } from '../set-up-clients.ts'
import type { Programs } from '../start-programs.ts'
import { MEASURED, waitForReceipts } from '../wait-for-receipts.ts'
import { BAD_ANSWERS } from './bad-endpoints.ts'
import { OTHERS, type BesideCase } from './case.ts'
import { describePlayed } from './describe-played.ts'
import { judgeCase, USUAL_AIMS, type Aims, type Played } from './judge-case.ts'
import { countDeliveries, waitForDeliveries } from './wait-for-deliveries.ts'

/** Long enough for the leases of a killed worker to end. */
const QUIET_MS = 60_000

export interface BesideResult
  extends OpenLoad, Played, Pick<Aims, 'quantile'>, Pick<BesideCase, 'name' | 'who'> {
  /** the failed conditions; empty if all held */
  misses: string[]
}

/**
 * Measures one client's leads, first alone and then beside others, with the same processes and the same
 * database, one right after the other.
 */
export async function runCase(
  context: BenchContext,
  programs: Programs,
  { name, who, aims: own, prepare }: BesideCase,
  load: OpenLoad,
  { isSmall, rows }: { isSmall: boolean; rows: number },
): Promise<BesideResult> {
  const { db, receiver } = context
  const { rate, warmUpSeconds, seconds } = load
  const aims = { ...USUAL_AIMS, ...own }
  const { url } = programs.server
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  // Others are other programs, so waiting for one of their connections is not the product's delay.
  const ofOthers = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  try {
    await receiver.answerWith(BAD_ANSWERS)
    const [client] = await setUpClients(url, [[`${receiver.url}/${MEASURED}`]])
    const victim = client?.key ?? ''
    const pick = <Size>(whole: Size, small: Size): Size => (isSmall ? small : whole)
    const disturbance = await prepare({ context, programs, agent: ofOthers, rate, seconds, rows, pick })
    const { instead = [] } = disturbance
    await receiver.reset()
    const ids = disturbance.clients.map(({ id }) => id)
    const plannedBefore = await countDeliveries(db, ids)

    const first = await sendAtPace({
      agent,
      url,
      rate,
      seconds: warmUpSeconds + seconds,
      name: 'alone',
      keyOf: () => victim,
    })
    // Waits, so that leads of the first run are not counted in the second.
    await waitForReceipts(receiver, MEASURED, countTaken(first), QUIET_MS)
    await disturbance.before?.()
    const keyOf = (index: number): string =>
      (index % 5 === 4 ? instead[Math.floor(index / 5) % instead.length] : undefined) ?? victim
    const began = now()
    const [second, brought] = await Promise.all([
      sendAtPace({ agent, url, rate, seconds, name: 'beside', keyOf }),
      disturbance.disturb(),
    ])

    const ofVictim = ({ key }: Post): boolean => key === victim
    const beside = second.filter(ofVictim)
    const came = await waitForReceipts(receiver, MEASURED, countTaken(first) + countTaken(beside), QUIET_MS)
    let missing = 0
    let drained: number | null = null
    for (const [room, count] of Object.entries(brought.arriving ?? {})) {
      const { distinct, last } = await waitForReceipts(receiver, room, count, QUIET_MS)
      missing += count - distinct
      if (room !== OTHERS) drained = (distinct * 1000) / (last - began)
    }
    const due = plannedBefore + brought.planned + countTaken(second) - countTaken(beside)
    missing += due - (await waitForDeliveries(db, ids, due, QUIET_MS))
    const played = describePlayed({
      receipts: await receiver.receipts(),
      first,
      beside,
      warmUpMs: warmUpSeconds * 1000,
      refused: first.length + second.length - countTaken(first) - countTaken(second),
      lost: { victim: countTaken(first) + countTaken(beside) - came.distinct, others: missing },
      drained: { beside: drained, alone: (await disturbance.drainAlone?.()) ?? null },
    })
    await disturbance.after?.()
    return { ...load, name, who, quantile: aims.quantile, ...played, misses: judgeCase(aims, played) }
  } finally {
    await Promise.all([agent.destroy(), ofOthers.destroy()])
  }
}
