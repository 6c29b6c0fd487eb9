import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type LabServer } from '#scripts/lab/start-product.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { openSocket, type TestSocket } from '../support/open-socket.ts'
import { listen } from './listen.ts'

let environment: Awaited<ReturnType<typeof createTestEnvironment>>
let env: Record<string, string>
let first: LabServer
let second: LabServer
beforeAll(async () => {
  environment = await createTestEnvironment()
  env = { ...environment.env, PUBLIC_URL: 'http://localhost:3000' }
  first = await startServer(env)
  second = await startServer(env)
})
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
  await environment.close()
})

const open = (url: string) =>
  createClient(url, PUBLIC_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { reconnectAfterMs: () => 100 },
  })
const connect = (apikey: string, { url }: LabServer): Promise<TestSocket> =>
  openSocket(url, { apikey, vsn: '2.0.0' })
/** Ids of the leads that a socket has heard of, once they are this many. */
async function idsOf(socket: TestSocket, count: number): Promise<string[]> {
  const list = () =>
    socket.heard.flatMap(({ event, payload }) =>
      event === 'postgres_changes' ? [(payload['data'] as { record: { id: string } }).record.id] : [],
    )
  await waitUntil(() => list().length >= count, { what: `${count} changes` })
  return list()
}

test('two servers tell of one change; when one is killed or stops, its clients hear on at the other', async () => {
  const client = open(first.url)
  await client.auth.signUp({ email: 'buyer@example.com', password: PASSWORD })
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  /** Written by the second server. */
  const store = async (name: string): Promise<string> => {
    const asked = { method: 'POST', body: JSON.stringify({ name, email: 'test@example.com' }) }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${second.url}/api/v1/leads`, { ...asked, headers })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { id: string }).id
  }
  const [raw, elsewhere] = [await connect(token, first), await connect(token, second)]
  await listen(raw, 'leads', token)
  await listen(elsewhere, 'leads', token)
  const one = await store('One')
  expect([await idsOf(raw, 1), await idsOf(elsewhere, 1)]).toEqual([[one], [one]])

  const seen: string[] = []
  client.channel('room').subscribe((status) => seen.push(status))
  const joined = (times: number) =>
    waitUntil(() => seen.filter((status) => status === 'SUBSCRIBED').length === times, {
      what: `Join ${times} of the channel`,
    })
  await joined(1)
  await first.kill()
  await waitUntil(() => raw.closed() !== undefined, { what: 'The end of the socket' })
  const two = await store('Two')
  expect(await idsOf(elsewhere, 2)).toEqual([one, two])

  const { port } = new URL(first.url)
  first = await startServer({ ...env, PORT: port })
  await joined(2)
  const again = await connect(token, first)
  await listen(again, 'leads', token)
  const three = await store('Three')
  expect([await idsOf(again, 1), await idsOf(elsewhere, 3)]).toEqual([[three], [one, two, three]])

  const began = performance.now()
  expect(await first.stop()).toBe(0)
  expect(performance.now() - began).toBeLessThan(9000)
  expect(again.closed()).toEqual({ code: 1012, reason: 'The server stops' })
  expect(first.output()).not.toContain('requests did not finish in time')
  expect(elsewhere.closed()).toBeUndefined()
  await client.removeAllChannels()
  elsewhere.hangUp()
})
