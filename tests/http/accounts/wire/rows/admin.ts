import { expect } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { expectUser, someText } from '../expect-wire.ts'
import { newEmail } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const USER_GONE = { gets: 404, code: 'user_not_found', says: 'User not found' }

export const adminRows: WireRow[] = [
  {
    name: 'lists users, with their number',
    call: 'GET /admin/users?page=1&per_page=2',
    as: 'service',
    gets: 200,
    shows: ({ body, headers }) => {
      expect(body['aud']).toBe('authenticated')
      expect(body.users?.length).toBeLessThanOrEqual(2)
      expect(Number(headers.get('X-Total-Count'))).toBeGreaterThanOrEqual(body.users?.length ?? 1)
    },
  },
  ...(['service', 'bareService', 'serviceWithSubject'] as const).map((as): WireRow => ({
    name: 'treats empty page numbers as absent',
    call: 'GET /admin/users?page=&per_page=',
    as,
    gets: 200,
    shows: ({ body }) => {
      expect(body.users).toBeInstanceOf(Array)
    },
  })),
  ...['page=-1', 'page=one', 'per_page=-5'].map((query): WireRow => ({
    name: 'refuses the page',
    call: `GET /admin/users?${query}`,
    as: 'service',
    gets: 400,
    code: 'validation_failed',
  })),
  { name: 'shows a user', call: 'GET /admin/users/{user}', as: 'service', gets: 200, shows: expectUser },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method): WireRow => ({
    name: 'does not find an unknown user',
    call: `${method} /admin/users/{uuid}`,
    as: 'service',
    ...USER_GONE,
  })),
  ...(['GET', 'PUT', 'DELETE'] as const).map((method): WireRow => ({
    name: 'needs a UUID',
    call: `${method} /admin/users/mine`,
    as: 'service',
    gets: 404,
    says: 'user_id must be an UUID',
  })),
  {
    name: 'lists no factors of a user without any',
    call: 'GET /admin/users/{doomed}/factors',
    as: 'service',
    gets: 200,
    shows: ({ body }) => {
      expect(body).toEqual([])
    },
  },
  {
    name: 'does not find an unknown user',
    call: 'GET /admin/users/{uuid}/factors',
    as: 'service',
    ...USER_GONE,
  },
  {
    name: 'does not find an unknown factor',
    call: 'DELETE /admin/users/{user}/factors/{uuid}',
    as: 'service',
    gets: 404,
    code: 'mfa_factor_not_found',
    says: 'Factor not found',
  },
  {
    name: 'does not find another user’s factor',
    call: 'DELETE /admin/users/{user}/factors/{secondFactor}',
    as: 'service',
    gets: 404,
    code: 'mfa_factor_not_found',
    says: 'Factor not found',
  },
  {
    name: 'deletes a user',
    call: 'DELETE /admin/users/{doomed}',
    as: 'service',
    gets: 200,
    shows: ({ body }) => {
      expect(body).toEqual({})
    },
  },
  {
    name: 'deletes softly when asked to',
    call: 'DELETE /admin/users/{doomed}',
    as: 'service',
    body: { should_soft_delete: true },
    gets: 200,
    shows: ({ body }) => {
      expect(body).toEqual({})
    },
  },
  {
    name: 'creates a user, unconfirmed unless asked, with its metadata exactly as given',
    call: 'POST /admin/users',
    as: 'service',
    body: prepared(() => ({ email: newEmail(), password: PASSWORD, user_metadata: { a: { b: 1 } } })),
    gets: 200,
    shows: ({ body }) => {
      expectUser({ body })
      expect(body['user_metadata']).toEqual({ a: { b: 1 } })
      expect(body['email_confirmed_at']).toBeUndefined()
    },
  },
  {
    name: 'creates a confirmed user when asked to',
    call: 'POST /admin/users',
    as: 'service',
    body: prepared(() => ({ email: newEmail(), email_confirm: true })),
    gets: 200,
    shows: ({ body }) => {
      expect(body['email_confirmed_at']).toEqual(someText)
    },
  },
  {
    name: 'needs an address or a phone',
    call: 'POST /admin/users',
    as: 'service',
    body: { password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
    says: 'Cannot create a user without either an email or phone',
  },
  {
    name: 'refuses a taken address',
    call: 'POST /admin/users',
    as: 'service',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 422,
    code: 'email_exists',
    says: 'A user with this email address has already been registered',
  },
  {
    name: 'refuses an invalid address',
    call: 'POST /admin/users',
    as: 'service',
    body: { email: 'nobody' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'refuses an invalid phone',
    call: 'POST /admin/users',
    as: 'service',
    body: { phone: 'nobody' },
    gets: 400,
    code: 'validation_failed',
    says: 'Invalid phone number format (E.164 required)',
  },
  {
    name: 'refuses an invalid duration of a ban',
    call: 'PUT /admin/users/{doomed}',
    as: 'service',
    body: { ban_duration: 'for ever' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'bans for a given time',
    call: 'PUT /admin/users/{doomed}',
    as: 'service',
    body: { ban_duration: '24h' },
    gets: 200,
    shows: ({ body }) => {
      expect(Date.parse(body.banned_until ?? '')).toBeGreaterThan(Date.now() + 86_000_000)
    },
  },
  {
    name: 'lifts a ban',
    call: 'PUT /admin/users/{doomed}',
    as: 'service',
    body: { ban_duration: 'none' },
    gets: 200,
    shows: ({ body }) => {
      expect(body.banned_until).toBeUndefined()
    },
  },
  {
    name: 'refuses a weak password',
    call: 'PUT /admin/users/{doomed}',
    as: 'service',
    body: { password: 'abc' },
    gets: 422,
    code: 'weak_password',
  },
  {
    name: 'refuses another user’s address',
    call: 'PUT /admin/users/{doomed}',
    as: 'service',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 422,
    code: 'email_exists',
    says: 'A user with this email address has already been registered',
  },
  {
    name: 'invites',
    call: 'POST /invite',
    as: 'service',
    body: prepared(() => ({ email: newEmail(), data: { team: 'west' } })),
    gets: 200,
    shows: ({ body }) => {
      expectUser({ body })
      expect(body['invited_at']).toEqual(someText)
    },
  },
  {
    name: 'refuses to invite an existing user',
    call: 'POST /invite',
    as: 'service',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 422,
    code: 'email_exists',
    says: 'A user with this email address has already been registered',
  },
  ...[{}, { email: '' }, { email: 'nobody' }].map((body): WireRow => ({
    name: `needs an address, not ${JSON.stringify(body)}`,
    call: 'POST /invite',
    as: 'service',
    body,
    gets: 400,
    code: 'validation_failed',
  })),
  ...['telepathy', 'email_change', 'SIGNUP'].map((type): WireRow => ({
    name: `refuses to make a link of type ${type}`,
    call: 'POST /admin/generate_link',
    as: 'service',
    body: { type, email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: `Invalid email action link type requested: ${type}`,
  })),
  ...['recovery', 'email_change_current', 'email_change_new'].map((type): WireRow => ({
    name: `makes no link of type ${type} without an address`,
    call: 'POST /admin/generate_link',
    as: 'service',
    body: prepared(() => ({ type, email: newEmail(), new_email: newEmail() })),
    gets: 404,
    code: 'user_not_found',
    says: 'User with this email not found',
  })),
  ...['signup', 'invite', 'magiclink', 'recovery'].map((type): WireRow => ({
    name: `makes a link of type ${type}, and sends nothing`,
    call: 'POST /admin/generate_link',
    as: 'service',
    body: prepared(async ({ person }) => {
      const isNew = type === 'signup' || type === 'invite'
      return { type, email: isNew ? newEmail() : (await person()).email, password: PASSWORD }
    }),
    gets: 200,
    shows: async ({ body }, { server }) => {
      expectUser({ body })
      expect(body).toMatchObject({
        hashed_token: someText,
        verification_type: type,
        redirect_to: someText,
      })
      expect(body['action_link']).toContain(body.hashed_token)
      const mails = await server.context.db
        .selectFrom('mails')
        .select('id')
        .where('recipient_address', '=', body.email ?? '')
        .execute()
      expect(mails).toEqual([])
    },
  })),
  {
    name: 'makes a sign-up link when a magic link is requested for an unknown address',
    call: 'POST /admin/generate_link',
    as: 'service',
    body: prepared(() => ({ type: 'magiclink', email: newEmail() })),
    gets: 200,
    shows: ({ body }) => {
      expect(body['verification_type']).toBe('signup')
    },
  },
  ...(
    [
      'GET /admin/oauth/clients',
      'GET /admin/custom-providers',
      'GET /admin/users/{user}/passkeys',
      'GET /passkeys',
      'GET /oauth/authorizations/{uuid}',
    ] as const
  ).map((call): WireRow => ({ name: 'is not part of the service', call, as: 'service', gets: 404 })),
]
