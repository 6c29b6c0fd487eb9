import { HTTPError } from 'got'
import { openSession, type Account, type DemoSession } from '../start/demo-session.ts'

/** Dollars: below the first, a client of the demo gets the second. */
const LOW = 250
const TOP_UP = 1000
const EVERY_MS = 60_000

export interface FundedClients {
  server: string
  admin: Account
  clients: readonly Account[]
}

/**
 * Keeps fictional clients in funds, so that the demo's market goes on selling: each asks for a payment when its balance
 * is low, and the administrator marks it received, through the calls that people use.
 * @returns `look` does it once; `close` waits for a look that is under way
 */
export function keepFunded(
  { server, admin, clients }: FundedClients,
  everyMs = EVERY_MS,
): { look: () => Promise<void>; close: () => Promise<void> } {
  const sessions = new Map<Account, DemoSession>()
  let looking: Promise<void> | undefined

  async function lookAt(account: Account): Promise<void> {
    const session = sessions.get(account) ?? (await openSession(server, account))
    if (session === undefined) return
    sessions.set(account, session)
    try {
      const { balance } = await session.api.get('balance').json<{ balance: string }>()
      if (Number(balance) >= LOW) return
      const json = { amount: `${TOP_UP}.00` }
      const { id } = await session.api.post('payments', { json }).json<{ id: string }>()
      await receive(id)
    } catch (error) {
      // The session may have ended; the next look opens another.
      if (error instanceof HTTPError && error.response.statusCode === 401) sessions.delete(account)
      else throw error
    }
  }

  async function receive(payment: string): Promise<void> {
    const session = await openSession(server, admin)
    if (session === undefined) return
    const json = { note: 'Fictional money of the demo' }
    await session.api.post(`admin/payments/${payment}/receive`, { json })
    await session.close()
  }

  async function lookAtAll(): Promise<void> {
    for (const account of clients) await lookAt(account)
  }

  const look = (): Promise<void> =>
    (looking ??= lookAtAll().finally(() => {
      looking = undefined
    }))
  const timer = setInterval(() => {
    // The server may be restarting; the next look comes soon.
    look().catch((error: unknown) =>
      console.error('A demo client was not topped up:', error instanceof Error ? error.message : error),
    )
  }, everyMs)
  return {
    look,
    close: async () => {
      clearInterval(timer)
      await Promise.allSettled([looking])
      await Promise.allSettled([...sessions.values()].map((session) => session.close()))
    },
  }
}
