import type { Behaviour } from './store.ts'
import type { World } from './world.ts'

/** What clients do in a scenario. Times are milliseconds from its begin. */
export interface Crowd {
  /** @param lead hands in one lead of a client, to all of his endpoints given */
  enact: (world: World, lead: (client: string, endpoints: readonly string[]) => void) => void
  behaviourOf: (endpoint: string) => Behaviour | undefined
  /** when which worker is killed, and for how long */
  kills?: ReadonlyArray<{ atMs: number; worker: number; downMs: number }>
  workers?: number
}

export interface Scenario {
  name: string
  make: () => Crowd
}

const silent: Behaviour = () => ({ tookMs: 10_000, result: 'silent' })
const afterSeconds: Behaviour = () => ({ tookMs: 5000, result: 'accepted' })
const resets: Behaviour = () => ({ tookMs: 2, result: 'silent' })

const BEGIN_MS = 5000

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_none, index) => `${prefix}-${index}`)

/** Fresh endpoints that behave so, and leads to all of them. */
const fresh = (endpoints: number, leads: number, behaviour: Behaviour): (() => Crowd) => {
  return () => ({
    enact: (world, lead) => {
      const all = names('bad', endpoints)
      world.at(BEGIN_MS, () => {
        for (let index = 0; index < leads; index += 1) lead('hostile', all)
      })
    },
    behaviourOf: (endpoint) => (endpoint.startsWith('bad') ? behaviour : undefined),
  })
}

const turnsSilent = (): Crowd => {
  const from = BEGIN_MS + 2000
  return {
    enact: (world, lead) => {
      for (let index = 0; index < 40; index += 1) {
        world.at(index * 100, () => {
          lead('hostile', names('turn', 2))
        })
      }
      world.at(from, () => {
        for (let index = 0; index < 2500; index += 1) lead('hostile', names('turn', 2))
      })
    },
    behaviourOf: (endpoint) =>
      endpoint.startsWith('turn')
        ? (world) =>
            world.now() < from ? { tookMs: 15, result: 'accepted' } : { tookMs: 10_000, result: 'silent' }
        : undefined,
  }
}

const twenty = (): Crowd => ({
  enact: (world, lead) => {
    for (const client of names('hostile', 20)) {
      world.at(BEGIN_MS, () => {
        for (let index = 0; index < 12; index += 1) lead(client, names(`bad-${client}`, 10))
      })
    }
  },
  behaviourOf: (endpoint) => (endpoint.startsWith('bad') ? silent : undefined),
})

const replay = (): Crowd => ({
  enact: (world, lead) => {
    for (let index = 0; index < 20; index += 1) {
      world.at(index * 100, () => {
        lead('big', ['replayed'])
      })
    }
    world.at(BEGIN_MS, () => {
      for (let index = 0; index < 20_000; index += 1) lead('big', ['replayed'])
    })
  },
  behaviourOf: () => undefined,
})

const newcomer = (): Crowd => ({
  ...fresh(100, 1, silent)(),
  enact: (world, lead) => {
    world.at(BEGIN_MS, () => {
      lead('hostile', names('bad', 100))
      lead('hostile', ['healthy-newcomer'])
    })
  },
})

/** Thousands of clients with a few leads each; every tenth endpoint is slow, every fiftieth silent. */
const crowd = (): Crowd => ({
  enact: (world, lead) => {
    for (const client of names('client', 2000)) {
      for (let at = world.random() * 40_000; at < 40_000; at += world.random() * 40_000) {
        world.at(at, () => {
          lead(client, [`of-${client}`])
        })
      }
    }
  },
  behaviourOf: (endpoint) => {
    const number = Number(/^of-client-(\d+)$/u.exec(endpoint)?.[1] ?? 1)
    if (number % 50 === 0) return silent
    if (number % 10 === 0) return afterSeconds
    return undefined
  },
})

const killed = (): Crowd => ({
  ...twenty(),
  workers: 3,
  kills: [
    { atMs: 8000, worker: 0, downMs: 2000 },
    { atMs: 14_000, worker: 1, downMs: 2000 },
  ],
})

export const SCENARIOS: readonly Scenario[] = [
  { name: 'alone', make: fresh(0, 0, silent) },
  { name: '10 fresh silent × 12', make: fresh(10, 12, silent) },
  { name: '100 fresh silent × 1', make: fresh(100, 1, silent) },
  { name: '300 fresh silent × 1', make: fresh(300, 1, silent) },
  { name: '10,000 fresh silent × 1', make: fresh(10_000, 1, silent) },
  { name: '20 fresh that reset × 100', make: fresh(20, 100, resets) },
  { name: '20 that take 5 s × 50', make: fresh(20, 50, afterSeconds) },
  { name: '20 quick × 1,500', make: fresh(20, 1500, () => ({ tookMs: 15, result: 'accepted' })) },
  { name: 'two proved turn silent, 5,000 wait', make: turnsSilent },
  { name: 'twenty hostile clients', make: twenty },
  { name: 'twenty hostile, three workers, two killed', make: killed },
  { name: 'a replay of 20,000', make: replay },
  { name: 'a healthy newcomer behind his own silent ones', make: newcomer },
  { name: '2,000 clients', make: crowd },
]
