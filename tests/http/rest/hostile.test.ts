import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROW_TABLE_NAMES } from '#core/contract/rows/row-tables.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let attacker: Person
let victim: Person
let webhook: string
let lead: string
let before: string

/** Texts that only rows of the victim, or sealed columns, contain. */
const SECRETS = ['Victoria', 'victim@quill', '+12025550177', 'whsec_', 'hunter2', 'signing_secret":', 'v1:']

beforeAll(async () => {
  app = await startApp()
  attacker = await app.newApprovedClient()
  victim = await app.newApprovedClient()
  await app.call('POST', '/api/v1/leads', { token: attacker.token, body: { name: 'Own Lead' } })
  const config = await app.call('POST', '/api/v1/webhook-configs', {
    token: victim.token,
    body: {
      webhook_name: 'Victoria’s',
      endpoint_url: 'https://crm.example.com/victim',
      custom_headers: { Authorization: 'Bearer hunter2' },
    },
  })
  webhook = config.json.id
  const made = await app.call('POST', '/api/v1/leads', {
    token: victim.token,
    body: { name: 'Victoria Victim', email: 'victim@quill.example.com', phone: '+12025550177' },
  })
  lead = made.json.id
  await givenLogRow(app.context.db, new Date(), {
    webhook_config_id: webhook,
    client_user_id: victim.id,
    lead_id: lead,
  })
  before = await look()
})
afterAll(() => app.close())

/** Everything that the victim has, and how many rows there are. */
async function look(): Promise<string> {
  const rows = await Promise.all(
    ROW_TABLE_NAMES.map(
      async (table) => (await app.call('GET', `/rest/v1/${table}`, { token: victim.token })).text,
    ),
  )
  return rows.join('\n')
}

const TEXTS = [
  `' or 1=1--`,
  `1); drop table leads;--`,
  `") union select * from auth.users--`,
  `'||(select signing_secret from client_webhook_configs limit 1)||'`,
  `1;select pg_sleep(5)`,
  `$1`,
  `%`,
  `*`,
  '\\',
  `"`,
  `((((`,
  `,,,,`,
  `99999999999999999999`,
  `1e400`,
  `NaN`,
  `{a,b}`,
  `null`,
  `😀\u202e`,
  `a`.repeat(3000),
]

interface Attack {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** The places of a request that may hold a text. */
const PLACES: Readonly<Record<string, (text: string, escaped: string) => Attack>> = {
  select: (_text, t) => ({ path: `leads?select=${t}` }),
  'select, quoted': (_text, t) => ({ path: `leads?select=%22${t}%22` }),
  'an embedded lead': (_text, t) => ({ path: `webhook_delivery_logs?select=id,leads(${t})` }),
  'the name of a column': (_text, t) => ({ path: `leads?${t}=eq.1` }),
  'an operator': (_text, t) => ({ path: `leads?id=${t}` }),
  'a text': (_text, t) => ({ path: `leads?name=eq.${t}` }),
  'a pattern': (_text, t) => ({ path: `leads?name=ilike.${t}` }),
  'an id': (_text, t) => ({ path: `leads?id=eq.${t}` }),
  'a number': (_text, t) => ({ path: `leads?deal_size=gt.${t}` }),
  'a whole number': (_text, t) => ({ path: `webhook_delivery_logs?response_status=lt.${t}` }),
  'a yes or no': (_text, t) => ({ path: `leads?is_test=eq.${t}` }),
  'a time': (_text, t) => ({ path: `leads?created_at=gte.${t}` }),
  'a test': (_text, t) => ({ path: `leads?is_test=is.${t}` }),
  'a list': (_text, t) => ({ path: `leads?name=in.(${t})` }),
  'a logic tree': (_text, t) => ({ path: `leads?or=(name.eq.${t},id.not.is.null)` }),
  'a whole logic tree': (_text, t) => ({ path: `leads?and=${t}` }),
  'an order': (_text, t) => ({ path: `leads?order=${t}` }),
  'a limit': (_text, t) => ({ path: `leads?limit=${t}` }),
  'an offset': (_text, t) => ({ path: `leads?offset=${t}` }),
  'a table': (_text, t) => ({ path: t }),
  'a procedure': (_text, t) => ({ method: 'POST', path: `rpc/${t}`, body: {} }),
  'an argument': (text) => ({
    method: 'POST',
    path: 'rpc/assign_lead_to_buyer_concurrent',
    body: { lead_id_param: text },
  }),
  'columns of a body': (_text, t) => ({ method: 'POST', path: `leads?columns=${t}`, body: { name: 'x' } }),
  'a name in a body': (text) => ({ method: 'PATCH', path: 'leads?name=eq.Nobody', body: { [text]: 1 } }),
  'a value in a body': (text) => ({
    method: 'PATCH',
    path: 'leads?name=eq.Nobody',
    body: { notes: text, disposition: text },
  }),
  'an owner in a body': (text) => ({
    method: 'POST',
    path: 'client_webhook_configs',
    body: { client_user_id: text },
  }),
  'a preference': (text) => ({ path: 'leads', headers: { prefer: printable(text) } }),
  'a form': (text) => ({ path: 'leads', headers: { accept: printable(text) } }),
  'a schema': (text) => ({ path: 'leads', headers: { 'accept-profile': printable(text) } }),
  'a range': (text) => ({ path: 'leads', headers: { range: printable(text) } }),
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}

async function attack({
  method = 'GET',
  path,
  headers = {},
  body,
}: Attack): Promise<{ status: number; text: string }> {
  return await app.call(method, `/rest/v1/${path}`, { token: attacker.token, headers, body })
}

test.each(Object.entries(PLACES))(
  'SQL and nonsense as %s reveal and change nothing',
  async (_place, make) => {
    for (const text of TEXTS) {
      const asked = make(text, encodeURIComponent(text))
      const answer = await attack(asked)
      expect(answer.status, asked.path.slice(0, 100)).toBeLessThan(500)
      // A refusal repeats the attacker's own text.
      const told = answer.text.replaceAll(text, '').replaceAll(JSON.stringify(text).slice(1, -1), '')
      for (const secret of SECRETS) expect(told).not.toContain(secret)
    }
  },
)

test('queries that are too large, too deep or no text are refused', async () => {
  const ids = Array.from(
    { length: 300 },
    (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  )
  const attacks: Record<string, number> = {
    [`leads?or=${'(or'.repeat(100_000)}(id.eq.1`]: 431,
    [`leads?or=${'(or'.repeat(2000)}(id.eq.1)${')'.repeat(2000)}`]: 400,
    [`leads?or=(${'name.eq.a,'.repeat(500)}name.eq.b)`]: 400,
    [`leads?id=in.(${ids.join(',')})`]: 200,
    [`leads?name=in.(${'a,'.repeat(2000)}b)`]: 400,
    [`leads?${'name=eq.a&'.repeat(200)}`]: 400,
    [`leads?${'a&'.repeat(1500)}`]: 400,
    'leads?name=eq.a%00b': 422,
    'leads?name=eq.%ff%fe': 422,
    'leads?%00=eq.1': 422,
    'leads?name=eq.%ed%a0%80': 422,
    'leads?limit=0': 200,
    'leads?limit=99999999999999999999&offset=99999999999999999999': 200,
    'leads?__proto__=eq.1': 400,
    'leads?constructor=eq.1': 400,
    'leads?select=__proto__': 400,
    'leads?select=toString': 400,
    'leads?order=hasOwnProperty': 400,
    'constructor?select=id': 404,
    __proto__: 404,
    'rpc/constructor': 404,
    'leads?created_at=eq.infinity': 200,
    [String.raw`leads?name=like.*%5C`]: 400,
    'leads?select=id&select=name': 400,
    'leads?created_at=gt.tomorrow&select=id': 200,
  }
  for (const [path, status] of Object.entries(attacks)) {
    const answer = await attack({ path })
    expect([path.slice(0, 80), answer.status]).toEqual([path.slice(0, 80), status])
  }
})

test('ids of another client’s rows find nothing and change nothing', async () => {
  const ofVictim = [
    `leads?id=eq.${lead}`,
    `leads?user_id=eq.${victim.id}`,
    `leads?or=(id.eq.${lead},user_id.eq.${victim.id})`,
    `leads?name=ilike.*victoria*`,
    `leads?select=id&order=name&name=gte.V`,
    `client_webhook_configs?id=eq.${webhook}`,
    `client_webhook_configs?client_user_id=eq.${victim.id}`,
    `webhook_delivery_logs?webhook_config_id=eq.${webhook}&select=*,leads(*)`,
    `webhook_delivery_logs?lead_id=eq.${lead}`,
    `client_balances?client_user_id=eq.${victim.id}`,
    `client_webhook_configs?not.or=(id.neq.${webhook})`,
  ]
  for (const path of ofVictim) {
    expect([path, (await attack({ path })).text]).toEqual([path, '[]'])
    expect((await attack({ path, headers: { prefer: 'count=exact' }, method: 'HEAD' })).status).toBe(200)
  }
  const all = { prefer: 'return=representation' }
  for (const body of [{ is_active: false }, { webhook_name: 'Taken', client_user_id: attacker.id }])
    expect(
      (await attack({ method: 'PATCH', path: `client_webhook_configs?id=eq.${webhook}`, body, headers: all }))
        .text,
    ).toBe('[]')
  expect(
    (await attack({ method: 'DELETE', path: `client_webhook_configs?id=eq.${webhook}`, headers: all })).text,
  ).toBe('[]')
  expect(
    (await attack({ method: 'PATCH', path: `leads?id=eq.${lead}`, body: { notes: 'x' }, headers: all })).text,
  ).toBe('[]')
  const call = { method: 'POST', path: 'rpc/assign_lead_to_buyer_concurrent', body: { lead_id_param: lead } }
  expect(JSON.parse((await attack(call)).text)).toMatchObject({ success: false, outcome: 'not_found' })
  expect(await look()).toBe(before)
})
