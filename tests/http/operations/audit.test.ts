import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AdminAuditRow } from '#core/contract/accounts/audit.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

/** A row of an account's own log or of the administrators'; each has members that the other lacks. */
const rowSchema = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  actor: z.string(),
  user_id: z.string().optional(),
  actor_id: z.string().nullish(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  type: z.string().optional(),
})

let app: TestApp
let client: Person
let other: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  other = await app.newClient()
})
afterAll(() => app.close())

const read = async (path: string, who: Person) => {
  const { status, json } = await app.call('GET', path, { token: who.token })
  const rows = status === 200 ? z.array(rowSchema).parse(json.data) : []
  return { status, rows, next: json.next_cursor }
}
const write = async (person: Person, values: Record<string, unknown>[]) => {
  await app.context.db
    .insertInto('auth.audit_log')
    .values(values.map((row) => ({ user_id: person.id, action: 'user_updated', ip: '192.0.2.7', ...row })))
    .execute()
}

describe('GET /api/v1/me/audit', () => {
  test('shows the user’s own rows with their contents', async () => {
    await app.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: client.email, password: 'wrong' },
    })
    const { rows } = await read('/api/v1/me/audit', client)

    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['sign_in_failed', 'signed_in']))
    expect(rows.find(({ action }) => action === 'sign_in_failed')).toMatchObject({
      actor: 'nobody',
      ip: expect.stringContaining('127.0.0.1') as string,
    })
    expect(JSON.stringify(rows)).not.toContain(client.email)
    expect(JSON.stringify(rows)).not.toContain(other.id)
  })

  test('keeps other accounts’ rows hidden, whatever the query', async () => {
    const { rows } = await read(`/api/v1/me/audit?user_id=${other.id}`, client)
    const ids = await app.context.db
      .selectFrom('auth.audit_log')
      .select('id')
      .where('user_id', '=', client.id)
      .execute()

    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids.map(({ id }) => id)))
  })

  test('says that an administrator acted, and not from where', async () => {
    const person = await app.newClient()
    await write(person, [
      { action: 'user_updated_by_admin', actor: 'admin', actor_id: app.admin.id, user_agent: 'curl' },
    ])
    const { rows } = await read('/api/v1/me/audit', person)

    expect(rows[0]).toMatchObject({
      action: 'user_updated_by_admin',
      actor: 'admin',
      ip: null,
      user_agent: null,
    })
    expect(rows[0]).not.toHaveProperty('actor_id')
  })

  test('pages newest first, without losing or repeating a row of the same moment', async () => {
    const person = await app.newClient()
    const at = new Date()
    await write(
      person,
      Array.from({ length: 25 }, () => ({ at })),
    )
    const seen: z.infer<typeof rowSchema>[] = []
    let path = '/api/v1/me/audit?limit=10'
    for (;;) {
      const { rows, next } = await read(path, person)
      seen.push(...rows)
      if (next === null) break
      path = `/api/v1/me/audit?limit=10&cursor=${next}`
    }

    expect(seen.length).toBeGreaterThanOrEqual(26)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    expect(seen.map((row) => row.at)).toEqual(
      seen
        .map((row) => row.at)
        .toSorted()
        .toReversed(),
    )
  })

  test.each(['limit=0', 'limit=101', 'cursor=nonsense'])('refuses %s', async (query) => {
    expect((await read(`/api/v1/me/audit?${query}`, client)).status).toBe(422)
  })
})

describe('GET /api/v1/admin/audit', () => {
  test('shows every account’s rows, those of one account, or those of one action', async () => {
    const one = await read(`/api/v1/admin/audit?user_id=${client.id}`, app.admin)
    const action = await read('/api/v1/admin/audit?action=signed_in', app.admin)
    const all = await read('/api/v1/admin/audit', app.admin)

    expect(new Set(one.rows.map((row) => row.user_id))).toEqual(new Set([client.id]))
    expect(new Set(action.rows.map((row) => row.action))).toEqual(new Set(['signed_in']))
    expect(new Set(all.rows.map((row) => row.user_id)).size).toBeGreaterThan(2)
  })

  test.each(['user_id=7', 'action=Drop%20table'])('refuses %s', async (query) => {
    expect((await read(`/api/v1/admin/audit?${query}`, app.admin)).status).toBe(422)
  })

  test('is forbidden to clients', async () => {
    expect((await read('/api/v1/admin/audit', client)).status).toBe(403)
  })
})

describe('the administrators’ audit log', () => {
  const list = async (query: string) => {
    const { json } = await app.call('GET', `/api/v1/admin/audit?${query}`, { token: app.admin.token })
    return json.data as unknown as AdminAuditRow[]
  }

  test('says in words who did what to whom, with addresses and phones masked', async () => {
    const person = await app.newClient()
    await app.call('POST', `/api/v1/admin/clients/${person.id}/suspend`, {
      token: app.admin.token,
      body: { reason: 'Rosa@Example.com called from (202) 555-0143' },
    })
    const [row] = await list(`user_id=${person.id}&changes=true`)

    expect(row).toMatchObject({
      action: 'client_suspended',
      sentence: 'suspended the client',
      actor_name: 'a•••@example.com',
      user_name: 'b•••@example.com',
      details: { after: { status: 'suspended' }, note: 'R•••@Example.com called from •••43' },
    })
  })

  test('is narrowed by the person who acted, the client, what changed, and the time', async () => {
    const person = await app.newClient()
    await write(person, [
      {
        action: 'balance_adjusted',
        actor: 'admin',
        actor_id: other.id,
        at: new Date('2026-03-02T12:00:00Z'),
      },
      { action: 'source_created', actor: 'admin', actor_id: other.id, at: new Date('2026-03-03T12:00:00Z') },
    ])
    const actions = async (query: string) => (await list(query)).map(({ action }) => action)
    const by = `actor_id=${other.id}`

    expect(await actions(`${by}&changes=true`)).toEqual(['source_created', 'balance_adjusted'])
    expect(await actions(`${by}&from=2026-03-03`)).not.toContain('balance_adjusted')
    expect(await actions(`${by}&from=2026-03-02T12:00:00Z&to=2026-03-03T13:00:00%2B01:00`)).toEqual([
      'balance_adjusted',
    ])
    expect(await actions(`client=${encodeURIComponent(person.email.toUpperCase())}&changes=true`)).toEqual([
      'source_created',
      'balance_adjusted',
    ])
    expect(await actions(`client=nobody-at-all&changes=true`)).toEqual([])
  })

  test.each(['from=2026-02-30T99:00:00Z', 'to=yesterday', 'changes=yes', 'actor_id=7'])(
    'refuses %s',
    async (query) => {
      expect((await read(`/api/v1/admin/audit?${query}`, app.admin)).status).toBe(422)
      expect((await read(`/api/v1/admin/audit.csv?${query}`, app.admin)).status).toBe(422)
    },
  )

  test('is exported whole as CSV, without formulas, and says that it was', async () => {
    const person = await app.newClient()
    const rows = Array.from({ length: 1201 }, (_, index) => ({
      action: 'balance_adjusted',
      actor: 'admin',
      actor_id: other.id,
      details: JSON.stringify({
        before: { balance: '1.00' },
        after: { balance: '2.00' },
        note: `=${index}+1`,
      }),
    }))
    await write(person, rows)
    const { status, headers, text } = await app.call(
      'GET',
      `/api/v1/admin/audit.csv?user_id=${person.id}&changes=true`,
      {
        token: app.admin.token,
      },
    )
    const lines = text.trimEnd().split('\r\n')

    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/csv; charset=utf-8',
    })
    expect(lines[0]).toBe(
      'Time,Person,Person id,Did,Action,Account,Account id,Before,After,Reason,Details,Network',
    )
    expect(lines).toHaveLength(1202)
    expect(lines[1]).toContain(',adjusted the balance,balance_adjusted,b•••@example.com,')
    expect(lines[1]).toContain("balance: 1.00,balance: 2.00,'=")
    expect((await list('action=audit_exported'))[0]).toMatchObject({
      actor_id: app.admin.id,
      sentence: 'exported the audit log',
      details: { user_id: person.id, changes: 'true', is_searched: false },
    })
  })

  test('its file is closed to clients', async () => {
    expect((await read('/api/v1/admin/audit.csv', client)).status).toBe(403)
  })
})

describe('the audit log', () => {
  test('cannot be changed, deleted or emptied', async () => {
    const { db } = app.context

    await expect(db.updateTable('auth.audit_log').set({ action: 'x' }).execute()).rejects.toThrow(
      'only grows',
    )
    await expect(db.deleteFrom('auth.audit_log').execute()).rejects.toThrow('only grows')
  })
})
