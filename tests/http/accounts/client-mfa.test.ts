import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#server/api-routes.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startApp()
  person = await app.newClient()
  await app.context.db
    .insertInto('auth.factors')
    .values({ user_id: person.id, friendly_name: 'Phone', factor_type: 'totp', status: 'verified' })
    .execute()
})
afterAll(() => app.close())

const ANY_ID = '00000000-0000-4000-8000-000000000000'
const askPeople = apiRoutes.filter(({ who }) => who === 'user' || who === 'source or user')

describe('a client who has not used the second factor in the session', () => {
  test.each(askPeople.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'is refused at %s %s',
    async (method, path) => {
      const { status, json } = await app.call(method, path.replace(':id', ANY_ID), { token: person.token })
      expect(status).toBe(403)
      expect(json).toMatchObject({
        code: 'mfa_required',
        detail: 'This account has a second factor. Enter its code, then try again.',
      })
    },
  )

  test('can still read the own account, so that a screen can ask for the code', async () => {
    expect((await app.call('GET', '/api/v1/me', { token: person.token })).status).toBe(200)
  })

  test('has access once the session has used the factor', async () => {
    await app.context.db
      .updateTable('auth.sessions')
      .set({ aal: 'aal2' })
      .where('user_id', '=', person.id)
      .execute()
    expect((await app.call('GET', '/api/v1/leads', { token: person.token })).status).toBe(200)
  })
})
