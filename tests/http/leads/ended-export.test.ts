import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

/** Pages of 500, and more text than fits between a server and a reader that reads nothing yet. */
const LEADS = 8000
const TEXT_OF_EACH = 8 * 1024

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  await sql`
    insert into leads (user_id, name, email, lead_type, city)
    select ${client.id}::uuid, 'Avery Example', md5(n::text) || '@example.com', 'final_expense', repeat('x', ${TEXT_OF_EACH}::int)
    from generate_series(1, ${LEADS}::int) n`.execute(app.context.db)
})
afterAll(() => app.close())

/** Begins to read the file, runs `act`, and reads on. */
async function readAround(who: Pick<Person, 'token'>, act: () => Promise<unknown>) {
  const headers = { authorization: `Bearer ${who.token}` }
  const asked = request(`${app.url}/api/v1/leads.csv`, { headers, agent: false })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  await act()
  let text = ''
  try {
    for await (const piece of response.setEncoding('utf8')) text += String(piece)
  } catch {
    // An export that ends early must break off.
  }
  return { rows: text.split('\r\n').length - 2, isWhole: response.complete }
}
const asAdmin = (path: string, body: object) => app.call('POST', path, { token: app.admin.token, body })

test('a slowly read file is complete, whatever happens to other accounts meanwhile', async () => {
  const other = await app.newClient()
  const read = await readAround(client, () =>
    asAdmin(`/api/v1/admin/clients/${other.id}/suspend`, { reason: 'Unpaid' }),
  )
  expect(read).toEqual({ rows: LEADS, isWhole: true })
})

test('a file breaks off once its reader is suspended', async () => {
  const { rows, isWhole } = await readAround(client, () =>
    asAdmin(`/api/v1/admin/clients/${client.id}/suspend`, { reason: 'Unpaid' }),
  )
  expect([rows < LEADS, isWhole]).toEqual([true, false])
  await asAdmin(`/api/v1/admin/clients/${client.id}/resume`, {})
})

test('a file breaks off once its reader is no longer an administrator, even if still signed in', async () => {
  const setRole = (role: 'admin' | 'client') =>
    app.context.db.updateTable('profiles').set({ role }).where('user_id', '=', other.id).execute()
  const other = await app.newClient()
  await setRole('admin')
  const { rows, isWhole } = await readAround(other, () => setRole('client'))
  expect([rows < LEADS, isWhole]).toEqual([true, false])
})
