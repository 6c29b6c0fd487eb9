import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ACCOUNTS, SOCKETS, STRANGERS } from '#server/admission/limits.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { askForSocket, type TestSocket } from '../support/open-socket.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
// Starts a new server each time, because earlier requests still count against the limits.
beforeEach(async () => {
  app = await startApp({ TRUST_PROXY: 'loopback,10.0.0.0/8', WEBHOOK_RATE_TEST: '2' })
})
afterEach(() => app.close())

const strangers = async (count: number): Promise<Person[]> =>
  await Promise.all(Array.from({ length: count }, () => app.newClient()))

/**
 * Sends requests from each address while a table that all need is locked; returns how many have been
 * admitted.
 */
async function countServed(askers: ReadonlyArray<{ who: Person; address: string }>): Promise<number> {
  const ask = ({ who, address }: { who: Person; address: string }): Promise<CallResult> =>
    app.call('GET', '/api/v1/webhook-configs', {
      token: who.token,
      headers: { 'X-Forwarded-For': address },
    })
  const answers: Promise<CallResult>[] = []
  const served = await app.context.db.transaction().execute(async (trx) => {
    await sql`lock table client_webhook_configs`.execute(trx)
    answers.push(...askers.map(ask))
    const waiting = async (): Promise<number> => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_locks where not granted
          and relation = 'client_webhook_configs'::regclass`.execute(trx)
      return rows[0]?.waiting ?? 0
    }
    let before = -1
    return await waitUntil(
      async () => {
        const now = await waiting()
        const isStill = now > 0 && now === before
        before = now
        return isStill && now
      },
      { what: 'requests that wait for the table', intervalMs: 300 },
    )
  })
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  return served
}

test('many unapproved accounts of one address block share the places of one account', async () => {
  const askers = (await strangers(3 * ACCOUNTS.together)).map((who, index) => ({
    who,
    address: `203.0.113.${index + 1}`,
  }))
  expect(await countServed(askers)).toBe(ACCOUNTS.together)
})

test('unapproved accounts of other networks are served beside them, all together like a few accounts', async () => {
  const askers = (await strangers(6 * ACCOUNTS.together)).map((who, index) => ({
    who,
    address: `2001:db8:${index % 6}::1`,
  }))
  expect(await countServed(askers)).toBe(STRANGERS.asAccounts * ACCOUNTS.together)
})

test('an approved account has its own places beside them', async () => {
  const askers = (await strangers(2 * ACCOUNTS.together)).map((who) => ({ who, address: '203.0.113.1' }))
  const approved = await app.newApprovedClient()
  const all = [...askers, { who: approved, address: '203.0.113.1' }]
  expect(await countServed(all)).toBe(ACCOUNTS.together + 1)
})

test('each unapproved account has its own limit of tries, because colleagues share a network', async () => {
  const body = { endpoint_url: 'not a url' }
  const tryOut = async ({ token }: Person): Promise<boolean> => {
    const headers = { 'X-Forwarded-For': '198.51.100.1' }
    const { json } = await app.call('POST', '/functions/v1/test-webhook-endpoint', { token, body, headers })
    return !String(json.error).startsWith('Too many tests')
  }
  const [one, two] = [await app.newClient(), await app.newClient()]
  expect([await tryOut(one), await tryOut(one), await tryOut(one)]).toEqual([true, true, false])
  expect(await tryOut(two)).toBe(true)
})

test('sockets of strangers are counted together for each block of addresses, as the proxy tells them', async () => {
  const open: TestSocket[] = []
  const ask = async (address: string) => {
    const answer = await askForSocket(app.url, { apikey: 'public' }, { 'X-Forwarded-For': address })
    if ('socket' in answer) open.push(answer.socket)
    return 'socket' in answer ? 'opened' : answer.refused.status
  }
  for (let count = 1; count <= SOCKETS.ofBlock; count += 1) await ask(`203.0.113.${count}`)
  expect(open).toHaveLength(SOCKETS.ofBlock)
  expect(await ask('203.0.113.250')).toBe(429)
  expect(await ask('203.0.114.1')).toBe('opened')
  open[0]?.hangUp()
  await waitUntil(async () => (await ask('203.0.113.251')) === 'opened', { what: 'A place' })
  for (const socket of open) socket.hangUp()
})
