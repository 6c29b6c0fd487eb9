import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../lab/now.ts'
import { checkLedger, type Verdict } from './check-ledger.ts'
import { drainWorld } from './drain.ts'
import { gatherLedger } from './gather-ledger.ts'
import type { Ack, Ledger } from './ledger.ts'
import type { Length, Run, Scenario } from './scenario.ts'
import { sendLeads, type SentLeads } from './send-leads.ts'
import { startWorld, type World } from './world.ts'

export interface ScenarioResult {
  id: string
  name: string
  skipped: string | null
  offered: number
  verdict: Verdict | null
  /** from the end of the fault until every lead intended before it had arrived */
  recoverySeconds: number | null
  /** failed conditions in words; empty means passed */
  faults: string[]
  figures: Record<string, string>
  /** further remarks, a line each */
  notes: string[]
  /** the folder of the processes' logs, if they were kept */
  folder: string
}

const DRAIN_SECONDS = 90

/**
 * Builds a world, loads and breaks it, lets it settle, and checks the ledger against the invariants.
 * @param loadFactor multiplies the scenario's rate, for a faster or busier machine
 */
export async function runScenario(
  scenario: Scenario,
  length: Length,
  loadFactor = 1,
): Promise<ScenarioResult> {
  const { id, name } = scenario
  const figures: Record<string, string> = {}
  const nothing = {
    id,
    name,
    offered: 0,
    verdict: null,
    recoverySeconds: null,
    faults: [],
    figures,
    notes: [],
    folder: '',
  }
  const skipped = scenario.skip?.() ?? null
  if (skipped !== null) return { ...nothing, skipped }
  const order = typeof scenario.world === 'function' ? scenario.world(length) : scenario.world
  const world = await startWorld(order)
  try {
    const figure = (name: string, value: string): void => {
      figures[name] = value
    }
    const { sent, mendedAt, healthy, met } = await loadAndBreak(
      scenario,
      { length, loadFactor },
      world,
      figure,
    )
    const isDrained = await drainWorld(world, scenario.drainSeconds ?? DRAIN_SECONDS)
    const ledger = await gatherLedger(world, sent.acks, healthy)
    const verdict = checkLedger(ledger)
    const faults = verdict.violations.map(({ invariant, what }) => `${invariant}: ${what}`)
    if (!isDrained) faults.unshift('it did not drain in time')
    if (sent.acks.length < sent.offered)
      faults.push(`${sent.offered - sent.acks.length} lead(s) never taken by the API`)
    const evidence = { world, length, ledger, verdict, figure, mendedAt, met }
    faults.push(...((await scenario.check?.(evidence)) ?? []))
    const recoverySeconds = recovery(ledger, mendedAt)
    const { offered } = sent
    return { ...nothing, skipped, offered, verdict, recoverySeconds, faults, folder: world.folder }
  } finally {
    await world.close()
  }
}

async function loadAndBreak(
  scenario: Scenario,
  { length, loadFactor }: { length: Length; loadFactor: number },
  world: World,
  figure: Run['figure'],
): Promise<{ sent: SentLeads; mendedAt: number; healthy: Ledger['healthy']; met: Record<string, number> }> {
  const startedAt = now()
  let mendedAt = startedAt
  let healthy: Ledger['healthy'] = null
  const acks: Ack[] = []
  const met: Record<string, number> = {}
  const run: Run = {
    world,
    length,
    figure,
    acks,
    at: (seconds) => sleep(Math.max(0, startedAt + seconds * 1000 - now())),
    meet: (what, count) => {
      met[what] = (met[what] ?? 0) + count
    },
    watchHealthy: (wanted) => {
      healthy = wanted
    },
    mended: () => {
      mendedAt = now()
    },
  }
  const load = scenario.load[length]
  const choose = scenario.choose ?? ((index) => index)
  const loading =
    load === null
      ? Promise.resolve({ offered: 0, acks: [] })
      : sendLeads([world.server.url], world.sources, { ...load, rate: load.rate * loadFactor }, choose)
  const [sent] = await Promise.all([loading, scenario.break(run)])
  return {
    sent: { offered: sent.offered + acks.length, acks: [...sent.acks, ...acks] },
    mendedAt,
    healthy,
    met,
  }
}

/** Seconds from the end of the fault until the last lead intended before it had its first success. */
function recovery(ledger: Ledger, mendedAt: number): number {
  const arrived = new Map<string, number>()
  for (const { deliveryId, intended, at, answered } of ledger.receipts) {
    if (intended === null || intended > mendedAt) continue
    if (answered === null || answered >= 300) continue
    arrived.set(deliveryId, Math.min(arrived.get(deliveryId) ?? Infinity, at))
  }
  const last = Math.max(mendedAt, ...arrived.values())
  return (last - mendedAt) / 1000
}
