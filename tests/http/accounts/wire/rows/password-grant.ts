import { expect } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { expectSession } from '../expect-wire.ts'
import { newEmail, post } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const CALL = 'POST /token?grant_type'
const credentials = { code: 'invalid_credentials', says: 'Invalid login credentials' }

export const passwordGrantRows: WireRow[] = [
  {
    name: 'signs in',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: (await world.person()).email, password: PASSWORD })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'accepts an address in another case, with spaces around it',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({
      email: ` ${(await world.person()).email.toUpperCase()}  `,
      password: PASSWORD,
    })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'ignores unknown members',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({
      email: (await world.person()).email,
      password: PASSWORD,
      gotrue_meta_security: {},
      options: { data: 1 },
      role: 'service_role',
    })),
    gets: 200,
    shows: ({ body }) => {
      expect(body.user?.['role']).toBe('authenticated')
    },
  },
  {
    name: 'refuses a wrong password',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: (await world.person()).email, password: 'Wrong-Lantern-58' })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'refuses an empty password like a wrong one',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: (await world.person()).email, password: '' })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'refuses the right password with a space after it',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: (await world.person()).email, password: `${PASSWORD} ` })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'gives an unknown address the same answer as a wrong password',
    call: `${CALL}=password`,
    body: prepared(() => ({ email: newEmail(), password: PASSWORD })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'gives an invalid address the same answer',
    call: `${CALL}=password`,
    body: { email: "' or 1=1 --", password: PASSWORD },
    gets: 400,
    ...credentials,
  },
  {
    name: 'gives the same answer to a password of 10,000 characters',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: (await world.person()).email, password: 'x'.repeat(10_000) })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'gives an erased account the same answer',
    call: `${CALL}=password`,
    body: prepared(async (world) => {
      const { id, email } = await world.person()
      await world.change(id, { deleted_at: new Date() })
      return { email, password: PASSWORD }
    }),
    gets: 400,
    ...credentials,
  },
  {
    name: 'gives an unknown phone the same answer',
    call: `${CALL}=password`,
    body: { phone: '+15550107101', password: PASSWORD },
    gets: 400,
    ...credentials,
  },
  {
    name: 'needs an address or a phone',
    call: `${CALL}=password`,
    body: { password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
    says: 'missing email or phone',
  },
  {
    name: 'accepts an address or a phone, not both',
    call: `${CALL}=password`,
    body: { email: 'buyer@example.com', phone: '+15550107102', password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
    says: 'Only an email address or phone number should be provided on login.',
  },
  {
    name: 'refuses an address that was never confirmed, once the password is right',
    on: 'confirming',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: await world.unconfirmed(), password: PASSWORD })),
    gets: 400,
    code: 'email_not_confirmed',
    says: 'Email not confirmed',
  },
  {
    name: 'reveals only with the right password that an address was never confirmed',
    on: 'confirming',
    call: `${CALL}=password`,
    body: prepared(async (world) => ({ email: await world.unconfirmed(), password: 'Wrong-Lantern-58' })),
    gets: 400,
    ...credentials,
  },
  {
    name: 'refuses a banned user',
    call: `${CALL}=password`,
    body: prepared(async (world) => {
      const { id, email } = await world.person()
      await world.change(id, { banned_until: new Date('2100-01-01') })
      return { email, password: PASSWORD }
    }),
    gets: 400,
    code: 'user_banned',
    says: 'User is banned',
  },
  {
    name: 'signs in a user whose ban is over',
    call: `${CALL}=password`,
    body: prepared(async (world) => {
      const { id, email } = await world.person()
      await world.change(id, { banned_until: new Date('2020-01-01') })
      return { email, password: PASSWORD }
    }),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'is refused when addresses are off',
    on: 'dark',
    call: `${CALL}=password`,
    body: { email: 'buyer@example.com', password: PASSWORD },
    gets: 422,
    code: 'email_provider_disabled',
    says: 'Email logins are disabled',
  },
  {
    name: 'is refused when phones are off',
    on: 'confirming',
    call: `${CALL}=password`,
    body: { phone: '+15550107103', password: PASSWORD },
    gets: 422,
    code: 'phone_provider_disabled',
    says: 'Phone logins are disabled',
  },
  {
    name: 'blocks a pair of address and caller after five wrong passwords, the right one too',
    call: `${CALL}=password`,
    body: prepared(async ({ person, server }) => {
      const { email } = await person()
      for (let n = 0; n < 5; n += 1)
        await post(server, '/token?grant_type=password', { email, password: `Wrong-Lantern-${n}` })
      return { email, password: PASSWORD }
    }),
    gets: 429,
    code: 'over_request_rate_limit',
    says: /Too many requests/,
  },
]
