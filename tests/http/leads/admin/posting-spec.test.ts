import { expect, test } from 'vitest'
import {
  postingSpecSchema,
  sharedPostingSpecSchema,
  type PostingSpec,
} from '#core/contract/leads/posting-spec.ts'
import { readAudit } from '../../market/read-audit.ts'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, post } = await startWithSource()
const DAY_MS = 24 * 3600 * 1000

const ofSource = (id: string) => `/api/v1/admin/sources/${id}/posting-spec`
async function share(id: string, body: unknown = { days: 30 }) {
  const answer = await app.call('POST', ofSource(id), { token: app.admin.token, body })
  const shared = sharedPostingSpecSchema.safeParse(answer.json).data
  return { ...answer, shared, token: shared?.url.split('/').at(-1) ?? '' }
}
const show = (token: string) => app.call('GET', `/api/v1/posting-spec?token=${encodeURIComponent(token)}`)
const sendTest = (token: string, lead: unknown) =>
  app.call('POST', '/api/v1/posting-spec/test-lead', { body: { token, lead } })
const storedLead = (id: string) =>
  app.context.db
    .selectFrom('leads')
    .select(['is_test', 'external_id', 'status', 'assigned_to', 'source_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('anyone with the link can read how the source posts, without a key, and the instructions work', async () => {
  const source = await app.newSource()
  const { status, shared, token } = await share(source.id)

  expect(status).toBe(201)
  expect(shared?.url).toBe(`${app.url}/posting-specs/${token}`)
  const ends = Date.parse(shared?.expires_at ?? '') - Date.now()
  expect(ends).toBeGreaterThan(30 * DAY_MS - 60_000)
  expect(ends).toBeLessThanOrEqual(30 * DAY_MS)

  const answer = await show(token)
  const spec: PostingSpec = postingSpecSchema.parse(answer.json)
  expect(spec).toMatchObject({
    source: 'Landing page',
    test_mode: false,
    expires_at: shared?.expires_at,
    url: `${app.url}/api/v1/leads`,
    leads_per_minute: app.context.config.ingestRate,
  })
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(answer.headers.get('X-Robots-Tag')).toBe('noindex, nofollow')
  expect(answer.text).not.toContain(source.key.slice(0, 'lw_src_'.length + 2))
  expect((await post(spec.example, {}, source.key)).status).toBe(201)

  const says = { 'content-type': 'application/json' }
  const refused = [
    await post('{', says, source.key),
    await post(spec.example, {}, 'lw_src_unknown'),
    await post(`"${'x'.repeat(1024 * 1024)}"`, says, source.key),
    await post('lead', { 'content-type': 'text/plain' }, source.key),
  ]
  for (const { status: refusal, json, headers } of refused) {
    expect(spec.answers.find((one) => one.status === refusal)?.body).toEqual(json)
    expect(headers.get('RateLimit')).toBeNull()
  }
  expect(refused.map(({ status: refusal }) => refusal)).toEqual([400, 401, 413, 415])

  const page = await app.call('GET', `/posting-specs/${token}`)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  })
})

test('a test lead takes the source’s own path, always as a test, and its id blocks no real lead', async () => {
  const client = await app.newClient()
  const owned = await app.newSource({ owner: client })
  const { token } = await share(owned.id)
  const lead = newLead({ is_test: false })
  const sent = await sendTest(token, lead)

  expect({ status: sent.status, json: sent.json }).toEqual({
    status: 201,
    json: { result: 'accepted', lead_id: sent.json.lead_id, is_test: true },
  })
  expect(await storedLead(sent.json.lead_id)).toEqual({
    is_test: true,
    external_id: null,
    status: 'assigned',
    assigned_to: client.id,
    source_id: owned.id,
  })
  const real = await post(lead, {}, owned.key)
  expect({ status: real.status, json: real.json }).toEqual({
    status: 201,
    json: { result: 'accepted', lead_id: real.json.lead_id },
  })
  const faulty = await sendTest(token, { ...lead, phone: '123', lead_type: '' })
  expect(faulty.status).toBe(422)
  expect(faulty.json).toMatchObject({ result: 'rejected' })
  expect(faulty.json.errors.map(({ path }) => path).toSorted()).toEqual(['lead_type', 'phone'])

  const market = await app.newSource({ auto_assign: true })
  const unsold = await sendTest((await share(market.id)).token, newLead())
  expect(await storedLead(unsold.json.lead_id)).toMatchObject({
    is_test: true,
    status: 'new',
    assigned_to: null,
  })
})

test('all links of a source allow ten test leads a minute together', async () => {
  const { id } = await app.newSource()
  const links = await Promise.all([share(id), share(id, { days: 1 })])
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, at) => await sendTest(links[at % 2]?.token ?? '', newLead())),
  )

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const [refused] = answers.filter(({ status }) => status !== 201)
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0)
})

test('withdrawn, forged and empty links, and links of a revoked source, get the same answer', async () => {
  const { id } = await app.newSource()
  const before = await share(id, {})
  expect((await app.call('DELETE', ofSource(id), { token: app.admin.token })).status).toBe(204)
  const after = await share(id)
  expect((await show(after.token)).status).toBe(200)
  const revoked = await app.newSource()
  const theirs = await share(revoked.id)
  await app.call('DELETE', `/api/v1/admin/sources/${revoked.id}`, { token: app.admin.token })

  const gone = [
    before.token,
    theirs.token,
    `${after.token.slice(0, -2)}AA`,
    'x'.repeat(83),
    '',
    after.token.slice(8),
  ]
  for (const token of gone) {
    const detail = 'This link is not valid any more. Ask for a new one.'
    expect(await show(token), token).toMatchObject({ status: 404, json: { code: 'not_found', detail } })
    expect(await sendTest(token, newLead())).toMatchObject({ status: 404, json: { detail } })
  }
  expect((await share(revoked.id)).status).toBe(404)
  expect((await share(id, { days: 365 })).json.errors).toMatchObject([{ path: 'days' }])
  expect((await sendTest(after.token, 'a lead')).json.errors).toMatchObject([{ path: 'lead' }])
  expect((await show('x'.repeat(201))).status).toBe(422)

  const rows = await Promise.all(
    ['posting_spec_shared', 'posting_specs_revoked'].map((action) => readAudit(app, action)),
  )
  const mine = rows.flat().filter(({ details }) => details['source_id'] === id)
  expect(mine.map(({ action }) => action)).toEqual([
    'posting_spec_shared',
    'posting_spec_shared',
    'posting_specs_revoked',
  ])
  expect(JSON.stringify(mine)).not.toContain('lw_spec_')
})
