import { expect } from 'vitest'
import type { WireBody } from './wire-row.ts'

/** Matches every text; typed, so that the objects around it stay checked. */
export const someText: unknown = expect.any(String)
export const someNumber: unknown = expect.any(Number)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d{2}-\d{2}T/
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Checks that the body is a user in the client library's form. */
export function expectUser({ body }: { body: WireBody | undefined }): void {
  expect(body).toMatchObject({ aud: 'authenticated', role: 'authenticated' })
  for (const member of ['email', 'phone']) expect(body?.[member], member).toBeTypeOf('string')
  for (const member of ['app_metadata', 'user_metadata']) expect(body?.[member], member).toBeTypeOf('object')
  for (const member of ['created_at', 'updated_at']) expect(body?.[member], member).toMatch(TIME)
  expect(body?.['id']).toMatch(UUID)
  expect(body?.['identities']).toBeInstanceOf(Array)
  expect(body?.['is_anonymous']).toBeTypeOf('boolean')
  // No internal column of the table may appear.
  for (const secret of ['password_hash', 'encrypted_password', 'password'])
    expect(body).not.toHaveProperty(secret)
}

/** Checks that the body is a session with its user. */
export function expectSession({ body }: { body: WireBody }): void {
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(body['access_token']).toMatch(JWT)
  expect(body['refresh_token']).toBeTypeOf('string')
  expect(body['expires_at']).toBeTypeOf('number')
  expectUser({ body: body.user })
}
