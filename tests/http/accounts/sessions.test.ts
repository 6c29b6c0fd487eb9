import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnSession } from '#core/contract/accounts/session.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PATH = '/api/v1/me/sessions'
const idOf = (token: string) => String(decodeJwt(token)['session_id'])

/** Signs the user in again, from another browser. */
async function signInAgain(person: Person, browser = 'Another browser'): Promise<string> {
  const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: person.email, password: PASSWORD },
    headers: { 'user-agent': browser, 'x-forwarded-for': '203.0.113.9' },
  })
  return json.access_token
}

async function list(token: string): Promise<OwnSession[]> {
  const { status, json } = await app.call('GET', PATH, { token })
  expect(status).toBe(200)
  return json.data as unknown as OwnSession[]
}

async function setLastActive(sessionId: string, minutesAgo: number): Promise<void> {
  await app.context.db
    .updateTable('auth.sessions')
    .set({ last_active_at: new Date(Date.now() - minutesAgo * 60_000) })
    .where('id', '=', sessionId)
    .execute()
}

test('simultaneous calls are each answered for the account of their token, and those of an ended session are refused', async () => {
  const people = await Promise.all([app.newClient(), app.newClient(), app.newClient()])
  const ended = await app.newClient()
  await app.call('POST', '/auth/v1/logout', { token: ended.token })
  const callers = Array.from({ length: 20 }, () => [...people, ended]).flat()
  const answers = await Promise.all(callers.map(({ token }) => app.call('GET', '/auth/v1/user', { token })))
  for (const [index, { text }] of answers.entries())
    expect(people.filter(({ email }) => text.includes(`"${email}"`))).toEqual(
      people.filter((person) => person === callers[index]),
    )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
})

describe('the list of own sessions', () => {
  test('shows the network, the browser and the start of each session, and marks the present one', async () => {
    const person = await app.newClient()
    const other = await signInAgain(person)

    const sessions = await list(person.token)

    expect(sessions).toHaveLength(2)
    // The requesting session comes first, although the other was in use later.
    expect(sessions[0]).toMatchObject({ id: idOf(person.token), is_current: true })
    expect(sessions[1]).toEqual({
      id: idOf(other),
      created_at: expect.any(String) as string,
      last_active_at: expect.any(String) as string,
      ip: '127.0.0.1',
      user_agent: 'Another browser',
      aal: 'aal1',
      is_current: false,
    })
  })

  test('does not show other accounts’ sessions', async () => {
    const person = await app.newClient()
    const stranger = await app.newClient()

    expect((await list(person.token)).map(({ id }) => id)).toEqual([idOf(person.token)])
    expect((await list(stranger.token)).map(({ id }) => id)).toEqual([idOf(stranger.token)])
  })

  test('leaves out sessions that were inactive for too long', async () => {
    const person = await app.newClient()
    const other = idOf(await signInAgain(person))
    await setLastActive(other, 29)
    expect((await list(person.token)).map(({ id }) => id)).toContain(other)

    await setLastActive(other, 31)

    expect((await list(person.token)).map(({ id }) => id)).not.toContain(other)
  })
})

describe('ending an own session', () => {
  test('ends its access token and its refresh token at once, and no others', async () => {
    const person = await app.newClient()
    const other = await signInAgain(person)

    expect((await app.call('DELETE', `${PATH}/${idOf(other)}`, { token: person.token })).status).toBe(204)

    expect((await app.call('GET', '/api/v1/me', { token: other })).status).toBe(401)
    expect((await app.call('GET', '/auth/v1/user', { token: other })).json.code).toBe(403)
    expect((await list(person.token)).map(({ id }) => id)).toEqual([idOf(person.token)])
  })

  test('works for the requesting session, too', async () => {
    const person = await app.newClient()

    expect((await app.call('DELETE', `${PATH}/${idOf(person.token)}`, { token: person.token })).status).toBe(
      204,
    )

    expect((await app.call('GET', PATH, { token: person.token })).status).toBe(401)
  })

  test('answers 404 for another account’s session and for an ended one', async () => {
    const person = await app.newClient()
    const victim = await app.newClient()

    for (const id of [idOf(victim.token), '00000000-0000-4000-8000-000000000000']) {
      const { status, json } = await app.call('DELETE', `${PATH}/${id}`, { token: person.token })
      expect({ status, detail: json.detail }).toEqual({ status: 404, detail: 'Session not found' })
    }

    expect((await app.call('GET', '/api/v1/me', { token: victim.token })).status).toBe(200)
  })

  test('is recorded in the audit log once', async () => {
    const person = await app.newClient()
    const other = idOf(await signInAgain(person))
    const end = () => app.call('DELETE', `${PATH}/${other}`, { token: person.token })

    const statuses = await Promise.all([end(), end(), end()])

    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404])
    const rows = await app.context.db
      .selectFrom('auth.audit_log')
      .selectAll()
      .where('action', '=', 'session_revoked')
      .where('user_id', '=', person.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      session_id: other,
      ip: '127.0.0.1',
      details: { by_session_id: idOf(person.token) },
    })
  })
})
