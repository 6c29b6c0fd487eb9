import got from 'got'
import { startServer } from '../lab/start-product.ts'
import type { BenchContext } from './services.ts'
import { SEED } from './set-up-clients.ts'
import { describeSpread, type Spread } from './spread.ts'

const PASSWORD = 'Zx9!kvRm-Tw7q'

/** Sign-ins and refreshes over HTTP, in milliseconds as the client waits for them. */
export interface AccountsResult {
  /** people who sign in at the same time */
  people: number
  signIns: number
  signInsPerSecond: number
  signIn: Spread
  refreshes: number
  refreshesPerSecond: number
  refresh: Spread
}

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Each person signs in repeatedly, and then refreshes one session repeatedly. */
export async function measureAccounts(
  context: BenchContext,
  { people, signIns, refreshes }: { people: number; signIns: number; refreshes: number },
): Promise<AccountsResult> {
  const server = await startServer({ ...context.env, ...SEED }, context.manner)
  try {
    const auth = got.extend({ prefixUrl: `${server.url}/auth/v1`, retry: { limit: 0 } })
    const credentials = Array.from({ length: people }, (_, index) => ({
      email: `bench-person-${index}@example.com`,
      password: PASSWORD,
    }))
    await Promise.all(credentials.map((json) => auth.post('signup', { json })))

    const sessions: Tokens[] = []
    const signIn = await inParallel(people, signIns, async (person) => {
      sessions[person] = await auth
        .post('token?grant_type=password', { json: credentials[person] })
        .json<Tokens>()
    })
    const refresh = await inParallel(people, refreshes, async (person) => {
      sessions[person] = await auth
        .post('token?grant_type=refresh_token', {
          json: { refresh_token: sessions[person]?.refresh_token },
        })
        .json<Tokens>()
    })
    return {
      people,
      signIns,
      signInsPerSecond: signIn.perSecond,
      signIn: signIn.spread,
      refreshes,
      refreshesPerSecond: refresh.perSecond,
      refresh: refresh.spread,
    }
  } finally {
    await server.stop()
  }
}

/** This many callers work at once, each without a pause, until there are `count` results. */
async function inParallel(
  lanes: number,
  count: number,
  work: (lane: number) => Promise<void>,
): Promise<{ perSecond: number; spread: Spread }> {
  const took: number[] = []
  let begun = 0
  const began = performance.now()
  const lane = async (index: number): Promise<void> => {
    while (begun < count) {
      begun += 1
      const at = performance.now()
      await work(index)
      took.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return { perSecond: (took.length / (performance.now() - began)) * 1000, spread: describeSpread(took) }
}
