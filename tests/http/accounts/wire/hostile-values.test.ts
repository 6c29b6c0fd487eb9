import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillPath } from './wire-row.ts'
import { BODY_CALLS } from './rows/bodies.ts'
import { openWorld } from './wire-world.ts'

let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld('open')
})
afterAll(() => world.close())

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
/** JSON texts that are valid, but wrong for every member. */
const VALUES = {
  'a NUL': '"\\u0000"',
  'half of a character': '"\\ud800"',
  'a number beyond all': '1e999',
  'a text of 100,000 characters': JSON.stringify('x'.repeat(100_000)),
  'a text of line breaks': '"\\r\\n\\r\\nX: y"',
  'an object of 20,000 levels': deep(20_000),
  'a list of 50,000 texts': JSON.stringify(Array.from({ length: 50_000 }, () => 'x')),
  'a prototype': '{"__proto__":{"isService":true},"constructor":{"prototype":{"isService":true}}}',
}
/** Members that each call reads, by the end of its path. */
const MEMBERS: Record<string, string[]> = {
  signup: ['email', 'phone', 'password', 'data', 'channel', 'code_challenge', 'gotrue_meta_security'],
  password: ['email', 'phone', 'password'],
  refresh_token: ['refresh_token'],
  pkce: ['auth_code', 'code_verifier'],
  id_token: ['provider', 'id_token', 'access_token', 'nonce'],
  web3: ['chain', 'message', 'signature'],
  otp: ['email', 'phone', 'data', 'create_user', 'channel'],
  magiclink: ['email', 'data'],
  verify: ['type', 'token', 'token_hash', 'email', 'phone', 'code', 'challenge_id'],
  resend: ['type', 'email', 'phone'],
  recover: ['email', 'code_challenge', 'code_challenge_method'],
  user: ['email', 'phone', 'password', 'data', 'nonce', 'current_password', 'app_metadata'],
  factors: ['factor_type', 'friendly_name', 'issuer', 'phone'],
  invite: ['email', 'data'],
  generate_link: ['type', 'email', 'new_email', 'password', 'redirect_to', 'data'],
  users: ['id', 'email', 'password_hash', 'user_metadata', 'app_metadata', 'role', 'ban_duration'],
  '{doomed}': ['email', 'phone', 'user_metadata', 'app_metadata', 'role', 'ban_duration', 'email_confirm'],
}
const membersOf = (call: string) => [...(MEMBERS[/[^/=]+$/.exec(call)?.[0] ?? ''] ?? []), '__proto__']

describe.each(BODY_CALLS)('$call', ({ call, as }) => {
  it.concurrent.each(Object.entries(VALUES))(
    'answers %s in any member without a server error',
    async (_what, value) => {
      const [method = '', path = ''] = call.split(' ')
      const bearer = as === undefined ? {} : { Authorization: `Bearer ${await world.bearer(as)}` }
      const url = `${world.server.url}${await fillPath(path, world)}`
      const filled = { email: '"hostile@example.com"', type: '"signup"' }
      const failures: string[] = []
      for (const member of membersOf(call)) {
        const members = Object.entries({ ...filled, [member]: value })
        const body = `{${members.map(([name, text]) => `"${name}":${text}`).join()}}`
        const response = await fetch(url, { method, body, headers: bearer })
        const text = await response.text()
        if (response.status >= 500) failures.push(`${member}: ${response.status} ${text.slice(0, 100)}`)
      }
      expect(failures).toEqual([])
    },
  )
})

it.each([
  'GET /verify?token=a&token=b&type=signup&type=x&redirect_to=a&redirect_to=b',
  'GET /verify?token[a]=b&type[]=signup&redirect_to[x]=y',
  'GET /verify?token=%00&type=%00&redirect_to=%00',
  'GET /authorize?provider=google&provider=github&redirect_to=a&redirect_to=b',
  'GET /authorize?provider[a]=google&scopes[]=x&code_challenge[]=x',
  'GET /callback?state=a&state=b&code=a&code=b',
  'GET /callback?state=%00&code=%00',
  'GET /callback?error=access_denied&error=x&state[]=y',
  'POST /logout?scope=local&scope=others',
  'POST /token?grant_type[]=password',
  'GET /admin/users?page=1&page=2&per_page[]=3',
  'GET /admin/users?page=99999999999999999999&per_page=99999999999999999999',
  'GET /admin/users?page=1e9&per_page=0',
  'GET /user/identities/authorize?provider=google&provider=x&skip_http_redirect[]=true',
])('%s is answered without a server error', async (call) => {
  const [method = '', path = ''] = call.split(' ')
  const who = path.startsWith('/admin') ? 'service' : 'second'
  const headers = { Authorization: `Bearer ${await world.bearer(who)}` }
  const response = await fetch(`${world.server.url}${path}`, { method, headers, redirect: 'manual' })
  expect(response.status, await response.text()).toBeLessThan(500)
})
