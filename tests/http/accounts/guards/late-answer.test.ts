import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import {
  call,
  NEW_VERSION,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

describe('a request that the database keeps waiting', () => {
  it('gets 504 after ten seconds, but is completed, and the connection stays usable', async () => {
    const { email, client, session } = await signUpSomeone(server)
    const headers = { authorization: `Bearer ${session.access_token}`, ...NEW_VERSION }
    const answers = await server.context.db.transaction().execute(async (trx) => {
      await sql`lock table auth.users in exclusive mode`.execute(trx)
      const asked = performance.now()
      const answer = await call(server, '/user', {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ data: { city: 'Sample Springs' } }),
      })
      expect(performance.now() - asked).toBeGreaterThan(9_000)
      // A request that needs no lock is served meanwhile.
      return [answer, await call(server, '/user', { headers })]
    })
    expect(answers[0]).toMatchObject({
      status: 504,
      body: {
        code: 'request_timeout',
        message: 'Processing this request timed out, please retry after a moment.',
      },
    })
    expect(answers[0]?.headers.get('x-sb-error-code')).toBe('request_timeout')
    expect(answers[1]?.status).toBe(200)

    const readCity = async () => (await client.getUser()).data.user?.user_metadata['city'] as unknown
    await waitUntil(async () => (await readCity()) === 'Sample Springs', { what: 'the late change' })
    const again = await post(server, '/token?grant_type=password', { email, password: PASSWORD })
    expect(again.status).toBe(200)
  }, 60_000)
})
