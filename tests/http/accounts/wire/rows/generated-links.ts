import { expect } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const CALL = 'POST /admin/generate_link'
const ALLOWED = 'https://app.example.com/welcome'

/** The written form of the redirect in the answer's link. */
function leadsTo(written: string): Pick<WireRow, 'gets' | 'shows'> {
  return {
    gets: 200,
    shows: ({ body }) => {
      expect(String(body['action_link'])).toMatch(/\/verify\?token=[^&]+&type=signup&redirect_to=/)
      expect(String(body['action_link']).replace(/^.*&redirect_to=/, '')).toBe(written)
      const read = new URL(String(body['action_link'])).searchParams.get('redirect_to')
      expect(read).toBe(body['redirect_to'])
    },
  }
}

function link(name: string, redirectTo: { query?: string; body?: unknown }, rest: Partial<WireRow>): WireRow {
  const { query, body } = redirectTo
  return {
    name,
    call: query === undefined ? CALL : `${CALL}?redirect_to=${encodeURIComponent(query)}`,
    as: 'service',
    body: prepared(() => ({ type: 'magiclink', email: newEmail(), redirect_to: body })),
    gets: 200,
    ...rest,
  }
}

export const generatedLinkRows: WireRow[] = [
  ...['signup', 'invite', 'magiclink'].flatMap((type) =>
    [{}, { team: 'west', nested: { a: [1] } }, { sub: 'mine', email: 'mine', email_verified: true }].map(
      (data): WireRow => ({
        name: `keeps the metadata ${JSON.stringify(data)} of a link of type ${type} unchanged`,
        call: CALL,
        as: 'service',
        body: prepared(() => ({ type, email: newEmail(), password: PASSWORD, data })),
        gets: 200,
        shows: ({ body }) => {
          expect(body['user_metadata']).toEqual(data)
          expect(body['identities']).toMatchObject([
            {
              provider: 'email',
              identity_data: {
                sub: body['id'],
                email: body.email,
                email_verified: false,
                phone_verified: false,
              },
            },
          ])
        },
      }),
    ),
  ),
  {
    name: 'keeps the metadata of an invitation unchanged',
    call: 'POST /invite',
    as: 'service',
    body: prepared(() => ({ email: newEmail(), data: { team: 'west' } })),
    gets: 200,
    shows: ({ body }) => {
      expect(body['user_metadata']).toEqual({ team: 'west' })
    },
  },
  link('writes where it leads as it is', { query: ALLOWED }, leadsTo(ALLOWED)),
  ...['?tab=2', '#top', '?a=1&b=2#c'].map((end) =>
    link(
      `escapes where it leads with ${end}`,
      { query: `${ALLOWED}${end}` },
      leadsTo(encodeURIComponent(`${ALLOWED}${end}`)),
    ),
  ),
  link(
    'leads where its body says, before the query',
    { query: 'https://x.preview.example.com', body: ALLOWED },
    leadsTo(ALLOWED),
  ),
  ...['https://evil.example/', 'javascript:alert(1)', '', '/welcome', null].map((body) =>
    link(
      `leads where the query says, and not to ${String(body) || 'nowhere'} of its body`,
      { query: 'https://x.preview.example.com', body },
      leadsTo('https://x.preview.example.com'),
    ),
  ),
  link('wants text for where it leads', { body: 7 }, { gets: 400, code: 'bad_json' }),
  // The reader of the link decodes it once: the remaining escapes belong to the address.
  ...['/a%20b', '/a+b', '/%C3%A9'].map((path): WireRow => ({
    name: `redirects to the requested page ${path}`,
    call: `GET /verify?token=${'0'.repeat(56)}&type=signup&redirect_to=https://app.example.com${path}`,
    gets: 303,
    shows: ({ headers }) => {
      const [to] = (headers.get('Location') ?? '').split('#')
      expect(decodeURI(to ?? '')).toBe(decodeURI(`https://app.example.com${path}`))
    },
  })),
]
