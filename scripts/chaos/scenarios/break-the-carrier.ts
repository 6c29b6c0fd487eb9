import { sql } from 'kysely'
import { judgeMet, judgeSilence } from '../judges/judge-fault.ts'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import { plantWaiting } from '../plant-leads.ts'
import { countLines } from '../read-logs.ts'
import type { Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const SILENCE_LIMIT_MS = 3000
/** A lost wake-up costs up to a second (docs/decisions/0010); the rest is for a busy machine. */
const WITHOUT_WAKE_UPS_P99_MS = 3000
/** More than a worker keeps to itself, so that every lead has a wake-up. */
const FAN_OUT = 25
const CLIENTS = 2
const endpointsOf = (client: number): number[] =>
  Array.from({ length: FAN_OUT }, (_unused, index) => client + index * CLIENTS)
/** Deaths of one worker while thousands wait. */
const DEATHS = 3

const looked = new WeakMap<World, Span>()

/** Faults between a plan and its requests: in wake-ups, polls, claim batches and leases. */
export const breakTheCarrier: Scenario[] = [
  {
    id: 'S26',
    name: 'every wake-up is lost for good, under load; and an endpoint comes back whose deliveries were held',
    passes: 'all is delivered by polls alone: p99 of the healthy client at most 3 s',
    world: {
      workers: 2,
      endpoints: ['ok', 'ok'],
      fanOut: FAN_OUT,
      // A wake-up is not retried: its job fails and is removed.
      env: { FAILPOINTS: 'before-notify=error' },
    },
    load: { quick: { rate: 3, seconds: 16 }, long: { rate: 8, seconds: 60 } },
    break: async (run) => {
      const { world, length, at } = run
      const theirs = endpointsOf(1)
      await at(2)
      const from = now()
      await world.receiver.behave(theirs.map((endpoint) => ({ endpoint, behaviour: 'reset' })))
      await at(length === 'quick' ? 14 : 40)
      run.meet('deliveries held at the end', await countState(world, 'held'))
      await world.receiver.behave(theirs.map((endpoint) => ({ endpoint, behaviour: 'ok' })))
      run.watchHealthy({
        endpoints: endpointsOf(0),
        from,
        until: now() - 1000,
        p99LimitMs: WITHOUT_WAKE_UPS_P99_MS,
      })
      run.mended()
    },
    check: ({ world, met, figure }) =>
      judgeMet({ ...met, 'wake-ups lost': countLines(world, 'failpoint before-notify: error') }, figure),
  },
  {
    id: 'S27',
    name: 'a worker is killed between claim and exchange, again and again, with thousands waiting',
    passes: 'what it had claimed is sent once, after its lease; no client is silent for 3 s',
    world: (length) => ({
      workers: 2,
      endpoints: ['ok', 'ok'],
      preloads: {
        0: { modules: [], env: { FAILPOINTS: `after-claim=exit*${length === 'quick' ? 30 : 60}` } },
      },
    }),
    load: { quick: { rate: 10, seconds: 20 }, long: { rate: 10, seconds: 60 } },
    choose: () => 1,
    drainSeconds: 120,
    break: killBetween,
    check: ({ world, ledger, met, figure }) => {
      const span = looked.get(world)
      return [
        ...judgeMet(
          { ...met, 'deaths between claim and exchange': countLines(world, 'failpoint after-claim: exit') },
          figure,
        ),
        ...judgeSilence(
          ledger.receipts,
          { endpoints: [1], spans: span === undefined ? [] : [span], limitMs: SILENCE_LIMIT_MS },
          figure,
        ),
      ]
    },
  },
]

async function killBetween(run: Run): Promise<void> {
  const { world, length, at } = run
  const [doomed] = world.workers
  if (doomed === undefined) throw new Error('This scenario needs a worker')
  const count = length === 'quick' ? 3000 : 10_000
  await plantWaiting(run, 0, count)
  const from = now()
  const seconds = length === 'quick' ? 19 : 58
  const waiting: number[] = []
  while (waiting.length < DEATHS) {
    await Promise.race([doomed.ended(), at(seconds)])
    if (doomed.isRunning()) break
    world.blur(`death ${waiting.length + 1} of worker 1`)
    waiting.push(await countState(world, 'pending'))
    if (waiting.length < DEATHS) await doomed.restart()
  }
  // It would die again, and nobody would notice.
  if (doomed.isRunning()) await doomed.stop()
  run.figure('waiting at the deaths', waiting.join(', '))
  run.meet('deaths with half of them waiting', waiting.filter((left) => left > count / 2).length)
  await at(seconds)
  looked.set(world, { from, until: now() })
  run.mended()
}

async function countState(world: World, state: 'held' | 'pending'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = ${state}`.execute(world.db)
  return rows[0]?.count ?? 0
}
