import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, post, startAuthServer, type AuthServer } from './start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const bad = { email: 'nobody@example.com', password: 'wrong' }

describe('an error', () => {
  it.each(['2024-01-01', '2025-06-30'])('has a string code for clients of version %s', async (version) => {
    const headers = { 'X-Supabase-Api-Version': version }
    const answer = await post(server, '/token?grant_type=password', bad, headers)
    expect(answer.body).toEqual({
      code: 'invalid_credentials',
      error_code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(answer.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
    expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
  })

  it.each([undefined, '2023-12-31', 'yesterday'])(
    'has a number and error_code for version %s',
    async (version) => {
      const headers: Record<string, string> =
        version === undefined ? {} : { 'X-Supabase-Api-Version': version }
      const answer = await post(server, '/token?grant_type=password', { password: 'x' }, headers)
      expect(answer.body).toEqual({
        code: 400,
        error_code: 'validation_failed',
        msg: 'missing email or phone',
      })
      expect(answer.headers.get('X-Supabase-Api-Version')).toBeNull()
      expect(answer.headers.get('x-sb-error-code')).toBe('validation_failed')
    },
  )

  it('contains the reasons of a weak password in the old form, too', async () => {
    const { status, body } = await post(server, '/signup', {
      email: 'weak@example.com',
      password: 'Ab-45678aaa',
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      code: 422,
      error_code: 'weak_password',
      msg: 'Password contains weak patterns or insufficient complexity',
      weak_password: { reasons: ['patterns'] },
    })
  })

  it.each(['gzip', 'deflate', 'br'])(
    'reports a body that is not compressed by %s although it says so',
    async (coding) => {
      const { status, body } = await post(server, '/signup', {}, { 'Content-Encoding': coding })
      expect(status).toBe(400)
      expect(body).toEqual({
        code: 400,
        error_code: 'bad_json',
        msg: 'Could not parse request body as JSON: the body could not be read',
      })
    },
  )

  it('is JSON for an unknown path', async () => {
    const { status, body } = await call(server, '/nowhere')
    expect(status).toBe(404)
    expect(body).toEqual({ code: 404, error_code: 'not_found', msg: 'Not found' })
  })
})

describe('a page on another origin', () => {
  it('may send a preflight, without credentials', async () => {
    const { status, headers } = await call(server, '/token', {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Methods')).toContain('PUT')
    const allowed = headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'apikey',
        'authorization',
        'content-type',
        'x-client-info',
        'x-supabase-api-version',
      ]),
    )
  })

  it('may read the parts of an error that the client library needs', async () => {
    const { headers } = await call(server, '/user')
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Supabase-Api-Version', 'X-Total-Count', 'Link', 'x-relay-error']),
    )
  })
})

it('the service reports its health', async () => {
  const { status, body } = await call(server, '/health')
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['version', 'name', 'description'])
})

it('no cache may keep personal answers', async () => {
  const { headers } = await call(server, '/user')
  expect(headers.get('Cache-Control')).toBe('no-store')
})
