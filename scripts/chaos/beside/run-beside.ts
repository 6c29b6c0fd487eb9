import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describeSpread } from '../../bench/spread.ts'
import { latencies, longestGap } from '../../lab/receiver/read-receipts.ts'
import { checkLedger } from '../check-ledger.ts'
import { drainWorld } from '../drain.ts'
import { gatherLedger } from '../gather-ledger.ts'
import { closeAll, startGround, type Closers, type Ground } from '../ground.ts'
import { judgeMarket } from '../judges/judge-market.ts'
import type { Ledger } from '../ledger.ts'
import { readMarket } from '../market/read-market.ts'
import type { ScenarioResult } from '../run-scenario.ts'
import { checkBeside, type PlannedEvent } from './check-beside.ts'
import { logLines } from './judge-logs.ts'
import { openProcesses } from './processes.ts'
import { standBeside, type BesideLoad, type Stood } from './stand-beside.ts'
import type { Upgrade } from './upgrades.ts'
import type { Age, Version } from './versions.ts'

/** Time for deliveries held for an endpoint that hung, and for its next probe. */
const DRAIN_SECONDS = 150
/** Time for leads of the market that are still unsold. */
const SALES_SECONDS = 60
/** A silence this long of healthy endpoints, at some leads a second, means that something stopped. */
const STALL_LIMIT_MS = 5000

const ENV = {
  WEBHOOK_TIMEOUT_MS: '3000',
  // The hanging endpoint is probed with its oldest delivery, which must not run out of attempts.
  WEBHOOK_RETRY_SCHEDULE: `1,2,3,5,5${',10'.repeat(40)}`,
}

/** Releases this version over the one before, under load, and checks the result. */
export async function runBeside(
  upgrade: Upgrade,
  versions: Readonly<Record<Age, Version>>,
  load: BesideLoad,
): Promise<ScenarioResult> {
  const closers: Closers = []
  try {
    const ground = await startGround({ env: ENV }, closers)
    const processes = await openProcesses(ground, closers)
    const stood = await standBeside(ground, processes, versions, upgrade, load)
    const isDrained = (await drainWorld(ground, DRAIN_SECONDS)) && (await waitForSales(ground))
    await processes.stop({ age: 'this', program: 'server' })
    await processes.stop({ age: 'this', program: 'worker' })

    const ledger = await gatherLedger(ground, stood.sent.acks, null)
    const verdict = checkLedger(narrow(ledger, stood))
    const faults = verdict.violations.map(({ invariant, what }) => `${invariant}: ${what}`)
    if (!isDrained) faults.unshift('it did not drain in time')
    if (verdict.delivered < verdict.acked)
      faults.push(`${verdict.acked - verdict.delivered} lead(s) that not every endpoint has`)
    faults.push(...(await judgeBeside(ground, ledger, stood)), ...processes.faults)
    const onMarket: Record<string, string> = {}
    const market = await readMarket(ground.db)
    faults.push(
      ...judgeMarket(
        stood.sold.acks.map(({ leadId }) => leadId),
        market,
        (what, value) => {
          onMarket[`market: ${what}`] = value
        },
      ),
    )
    if (stood.sold.acks.length < stood.sold.offered)
      faults.push(
        `${stood.sold.offered - stood.sold.acks.length} lead(s) of the market never taken by the API`,
      )

    const groups = await processes.readLogs()
    for (const { because, message, count } of groups)
      if (because === undefined) faults.push(`${count} unexplained line(s) in a log: ${message}`)
    const figures = {
      ...figuresOf(ledger, stood),
      ...onMarket,
      'slowest exit': `${(processes.slowestExitMs() / 1000).toFixed(1)} s`,
    }
    return {
      id: upgrade.id,
      name: upgrade.name,
      skipped: null,
      offered: stood.sent.offered,
      verdict,
      recoverySeconds: null,
      faults,
      figures,
      notes: logLines(groups),
      folder: ground.folder,
    }
  } finally {
    await closeAll(closers)
  }
}

/** A lead of the market is sold a moment after it was accepted, and an unsold one is offered once more. */
async function waitForSales(ground: Ground): Promise<boolean> {
  const endsAt = performance.now() + SALES_SECONDS * 1000
  for (;;) {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from leads where status in ('new', 'unassigned') and user_id is null`.execute(
      ground.db,
    )
    if (rows[0]?.open === 0) return await drainWorld(ground, DRAIN_SECONDS)
    if (performance.now() > endsAt) return false
    await sleep(200)
  }
}

/** Keeps the webhooks that exist for the whole run: what they must get is known exactly. */
function narrow(ledger: Ledger, { buyers }: Stood): Ledger {
  const endpoints = new Set(buyers.all.flatMap(({ endpoints: own }) => own))
  const configs = ledger.configs.filter(({ endpoint }) => endpoints.has(endpoint))
  const configIds = new Set(configs.map(({ id }) => id))
  const deliveries = ledger.deliveries.filter(({ configId }) => configIds.has(configId))
  const deliveryIds = new Set(deliveries.map(({ id }) => id))
  return {
    ...ledger,
    configs,
    deliveries,
    receipts: ledger.receipts.filter(({ endpoint }) => endpoints.has(endpoint)),
    logs: ledger.logs.filter(({ deliveryId }) => deliveryIds.has(deliveryId)),
  }
}

async function judgeBeside(ground: Ground, ledger: Ledger, stood: Stood): Promise<string[]> {
  const { buyers, edits, sent, stalls, asker } = stood
  const { rows: events } = await sql<PlannedEvent>`
    select id, type, client_user_id as "clientId", extract(epoch from planned_at)::float8 * 1000 as "plannedAt"
    from events where type in ('lead.created', 'lead.assigned')`.execute(ground.db)
  const owners = buyers.all.flatMap(({ id, endpoints }) =>
    endpoints.map((endpoint): [number, string] => [endpoint, id]),
  )
  const { id: editedClient } = buyers.edited
  const edited = edits.webhooks.map(({ endpoint }): [number, string] => [endpoint, editedClient])
  const buying = buyers.market.map(({ endpoint, id }): [number, string] => [endpoint, id])
  const { receipts } = ledger
  const faults = checkBeside({
    events,
    receipts,
    ownerOf: new Map([...owners, ...edited, ...buying]),
    editedClient,
    webhooks: edits.webhooks,
  })
  const untaken = sent.offered - sent.acks.length
  if (untaken > 0) faults.push(`${untaken} lead(s) never taken by the API`)
  const repeated = sent.acks.filter(({ tries }) => tries > 1).length
  if (repeated > 0) faults.push(`${repeated} lead(s) that had to be posted again`)
  if (stalls > 0) faults.push(`${stalls} job(s) stalled`)
  const gap = longestGap(healthyOf(ledger, stood), stood.loaded)
  if (gap > STALL_LIMIT_MS) faults.push(`nothing arrived for ${Math.round(gap)} ms`)
  for (const [what, count] of [...edits.broken, ...asker.unreadable]) faults.push(`${count} × ${what}`)
  return faults
}

function healthyOf({ receipts }: Ledger, { buyers }: Stood): Ledger['receipts'] {
  return receipts.filter(({ endpoint }) => buyers.healthy.includes(endpoint))
}

function figuresOf(ledger: Ledger, stood: Stood): Record<string, string> {
  const { sent, edits, asker, postedTo, stalls, loaded, beside } = stood
  const healthy = healthyOf(ledger, stood)
  const { p50, p99, max } = describeSpread(latencies(healthy, beside))
  const ms = (value: number): string => `${Math.round(value)} ms`
  const answers = (age: Age): string => {
    const acks = sent.acks.filter(postedTo[age])
    const spread = describeSpread(acks.map(({ ackedAt, intended }) => ackedAt - intended))
    return `${acks.length} leads, answered in ${ms(spread.p50)} / ${ms(spread.p99)}`
  }
  return {
    'side by side': `${((beside.until - beside.from) / 1000).toFixed(0)} s`,
    'lead to receipt p50 / p99 / max': `${ms(p50)} / ${ms(p99)} / ${ms(max)}`,
    'longest gap': ms(longestGap(healthy, loaded)),
    'stalled jobs': String(stalls),
    'server before': answers('before'),
    'server of this version': answers('this'),
    requests: String(ledger.receipts.length),
    edits: `${edits.tried} looked at, ${edits.webhooks.length} webhooks made`,
    'routes read across': `${asker.read.before.size} of the version before, ${asker.read.this.size} of this`,
  }
}
