import { createClient, type FunctionsHttpError } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLIC_KEY } from '../support/invoke-function.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
/**
 * The app's public key in the form of older projects: a token without a user, which the client sends while
 * nobody is signed in.
 */
let signedKey: string
beforeAll(async () => {
  app = await startApp()
  const { alg, kid, privateKey } = app.context.identity.keys.signing
  signedKey = await new SignJWT({ role: 'anon', iss: 'leadwire', exp: 4_102_444_800 })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .sign(privateKey)
})
afterAll(() => app.close())

async function invoke(key: string, name: string) {
  const options = { auth: { persistSession: false, autoRefreshToken: false } }
  const answer: { data: unknown; error: FunctionsHttpError | null } = await createClient(
    app.url,
    key,
    options,
  ).functions.invoke<unknown>(name, { body: {} })
  if (answer.error === null) return { data: answer.data }
  const response = answer.error.context as Response
  const body: unknown = await response.json()
  const relay = response.headers.get('x-relay-error')
  return { kind: answer.error.name, message: answer.error.message, status: response.status, relay, body }
}

describe.each(['test-webhook-endpoint', 'webhook-delivery'])('%s, which needs a user', (name) => {
  test('treats a signed public key like an invalid token: nobody is signed in', async () => {
    const answer = await invoke(PUBLIC_KEY, name)
    expect(answer).toMatchObject({
      kind: 'FunctionsHttpError',
      status: 401,
      relay: null,
      body: { code: 'unauthenticated', detail: 'This request needs a bearer access token.' },
    })
    expect(await invoke(signedKey, name)).toEqual(answer)
  })
})

test('the REST API also treats a signed public key as nobody', async () => {
  const [by, without] = [
    await app.call('GET', '/api/v1/me', { token: signedKey }),
    await app.call('GET', '/api/v1/me'),
  ]
  expect(by.status).toBe(401)
  expect(by.json).toEqual(without.json)
})

test('an expired public key is refused as an invalid token', async () => {
  const { alg, kid, privateKey } = app.context.identity.keys.signing
  const old = await new SignJWT({ role: 'anon', exp: 1_700_000_000 })
    .setProtectedHeader({ alg, kid })
    .sign(privateKey)
  expect(await invoke(old, 'webhook-delivery')).toMatchObject({ kind: 'FunctionsRelayError', status: 401 })
})
