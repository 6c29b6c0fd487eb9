import type { Carrier, Stage } from './carrier.ts'
import { createJobs } from './carriers/jobs.ts'
import { createManyIds } from './carriers/many-ids.ts'
import { createRings } from './carriers/rings.ts'
import type { Scenario } from './scenarios.ts'
import { createStore, type Behaviour, type Delivery } from './store.ts'
import { createMachine, createWorld } from './world.ts'

export const CARRIERS = { jobs: createJobs, 'many ids': createManyIds, rings: createRings } as const
export type CarrierName = keyof typeof CARRIERS

/** What became of a scenario under one carrier. Waits are from the lead's coming in to its first acceptance, in milliseconds. */
export interface Outcome {
  victims: { count: number; p50: number; p95: number; p99: number; worst: number; missing: number }
  /** everybody else's endpoints that answer: how long until they had theirs */
  others: { count: number; p95: number; worst: number; missing: number }
  /** milliseconds of processor time for each delivery made */
  costMs: number
  /** due for more than 30 s, and nobody's: what waits behind its own client */
  waiting: number
}

const VICTIMS = 4
const VICTIM_EVERY_MS = 100

/** Plays a scenario: four clients with a quick endpoint each get a lead every tenth of a second, whatever the others do. */
export function simulate(
  scenario: Scenario,
  carrierName: CarrierName,
  { seconds = 45, seed = 7 }: { seconds?: number; seed?: number } = {},
): Outcome {
  const world = createWorld(seed)
  const machine = createMachine(world, 2)
  const store = createStore(world)
  const crowd = scenario.make()
  const quick: Behaviour = () => ({ tookMs: 5 + 15 * -Math.log(1 - world.random()), result: 'accepted' })
  const accepted = new Map<Delivery, number>()
  const stage: Stage = {
    world,
    machine,
    store: {
      ...store,
      record: (delivery, result) => {
        store.record(delivery, result)
        if (delivery.state === 'delivered') accepted.set(delivery, world.now())
      },
    },
    behaviourOf: (endpoint) => crowd.behaviourOf(endpoint) ?? quick,
    slots: 100,
    endpointLimit: 50,
  }
  const carrier: Carrier = CARRIERS[carrierName](stage, crowd.workers ?? 1)
  const lead = (client: string, endpoints: readonly string[]): void => {
    const deliveries = endpoints.map((endpoint) => store.add(client, endpoint))
    machine.bill('plan', 0.3 + 0.05 * deliveries.length, () => {
      carrier.plan(deliveries)
    })
  }
  crowd.enact(world, lead)
  const lastMs = seconds * 1000 - 5000
  for (let victim = 0; victim < VICTIMS; victim += 1) {
    for (let at = (victim * VICTIM_EVERY_MS) / VICTIMS; at < lastMs; at += VICTIM_EVERY_MS) {
      world.at(at, () => {
        lead(`victim-${victim}`, [`victim-endpoint-${victim}`])
      })
    }
  }
  for (const { atMs, worker, downMs } of crowd.kills ?? []) {
    world.at(atMs, () => {
      carrier.kill(worker, downMs)
    })
  }
  world.run(seconds * 1000)
  return tell(store.deliveries, accepted, machine.spent, world.now())
}

function tell(
  deliveries: readonly Delivery[],
  accepted: ReadonlyMap<Delivery, number>,
  spent: Readonly<Record<string, number>>,
  now: number,
): Outcome {
  const waitsOf = (some: readonly Delivery[]): number[] =>
    some
      .map((delivery) => (accepted.get(delivery) ?? now) - delivery.since)
      .toSorted((one, other) => one - other)
  // The first seconds belong to nobody's trouble: there everything is learned.
  const isVictim = ({ client }: Delivery): boolean => client.startsWith('victim')
  const victims = deliveries.filter((delivery) => isVictim(delivery) && delivery.since > 5000)
  const others = deliveries.filter(
    (delivery) => !isVictim(delivery) && /^(?:of|healthy|replayed)/u.test(delivery.endpoint),
  )
  const waits = waitsOf(victims)
  const otherWaits = waitsOf(others)
  const total = Object.values(spent).reduce((sum, ms) => sum + ms, 0)
  return {
    victims: {
      count: waits.length,
      p50: at(waits, 0.5),
      p95: at(waits, 0.95),
      p99: at(waits, 0.99),
      worst: waits.at(-1) ?? 0,
      missing: victims.filter((delivery) => !accepted.has(delivery)).length,
    },
    others: {
      count: others.length,
      p95: at(otherWaits, 0.95),
      worst: otherWaits.at(-1) ?? 0,
      missing: others.filter((delivery) => !accepted.has(delivery)).length,
    },
    costMs: total / Math.max(1, accepted.size),
    waiting: deliveries.filter(
      ({ state, dueAt, leaseUntil }) =>
        state === 'pending' && dueAt < now - 30_000 && leaseUntil < now - 30_000,
    ).length,
  }
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
