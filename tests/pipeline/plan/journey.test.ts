import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { listSigningKeys, replaceSigningKey } from '#core/data/webhooks/signing-keys.ts'
import { openSigningKey, sealNewSeed, takeSigningKeys } from '#core/secrets/signing-keys.ts'
import { readOutcome } from '#core/secrets/outcome-token.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import {
  assignLead,
  drain,
  givenConfig,
  givenLead,
  publishEventsOfLead,
} from '#tests/support/given/pipeline.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1,2' })

test('a lead travels from its event to a signed request, a log row and the timeline', async () => {
  const { pipeline, crm, client, readLog } = journeys
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/leads?key=1`,
    request_method: 'PUT',
    trigger_on_lead_created: true,
    custom_headers: { 'X-Api-Key': 'example-key-123456' },
  })
  const lead = await givenLead(pipeline.db, client)
  expect(await assignLead(pipeline.db, lead)).toMatchObject({
    success: true,
    outcome: 'assigned',
    buyer_id: client,
  })
  await publishEventsOfLead(pipeline.context, lead)

  const [created, assigned] = await crm.waitForCount(2)
  await drain(pipeline.context)

  const byEvent = new Map([created, assigned].map((request) => [request?.headers['leadwire-event'], request]))
  const request = byEvent.get('lead.assigned')
  expect(byEvent.has('lead.created')).toBe(true)
  expect(request?.method).toBe('PUT')
  expect(request?.path).toBe('/leads?key=1')
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-key': 'example-key-123456',
    'leadwire-attempt': '1',
  })
  expect(request?.headers['user-agent']).toMatch(/^Leadwire-Webhooks\/1 \(\+http.*\/documentation\)$/)
  const verified = new Webhook(config.secret).verify(
    request?.rawBody ?? '',
    request?.headers as Record<string, string>,
  )
  expect(verified).toMatchObject({ lead_id: lead, name: 'Avery Example', phone: '+15125550143', state: 'CA' })

  const rows = await readLog(config.id)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    delivery_status: 'delivered',
    response_status: 200,
    attempt_number: 1,
    lead_id: lead,
  })
  expect(rows[0]?.request_headers).not.toContain('example-key')
  const events = await pipeline.db.selectFrom('events').select('type').where('lead_id', '=', lead).execute()
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'delivery.succeeded',
    'delivery.succeeded',
    'lead.assigned',
    'lead.created',
  ])
})

test('the log hides the secrets of a request and its answer, and the sent bytes contain them', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith(() => ({ status: 401, body: '{"error":"key query-secret-1 unknown","token":"theirs"}' }))
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/leads?apikey=query-secret-1`,
    payload_template: '{"name":"{{name}}","login":{"authToken":"template-secret"}}',
  })
  await sendLead()

  const [request] = await crm.waitForCount(1)
  await waitUntil(async () => (await readLog(config.id)).length > 0, { what: 'The log row' })

  expect(request?.path).toBe('/leads?apikey=query-secret-1')
  expect(request?.body).toBe('{"name":"Avery Example","login":{"authToken":"template-secret"}}')
  const [row] = await readLog(config.id)
  expect(row).toMatchObject({
    request_url: `${crm.url}/leads?apikey=••••`,
    request_body: '{"name":"Avery Example","login":{"authToken":"••••"}}',
    response_body: '{"error":"key •••• unknown","token":"••••"}',
  })
  expect(JSON.stringify(row)).not.toMatch(/query-secret-1|template-secret|theirs/)
})

test('the address for outcomes is the lead’s and the webhook’s own, and no log shows its token', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  const token = /lw_outcome_[\w-]{100,}/
  crm.answerWith(({ body }) => ({
    status: 401,
    body: `{"error":"cannot store ${token.exec(body)?.[0] ?? ''}"}`,
  }))
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/form`,
    payload_type: 'FORM',
    payload_template: '{"answer at":"{{outcome_url}}","loud":"{{outcome_url | upper}}"}',
  })
  const lead = await sendLead()
  const [request] = await crm.waitForCount(1)
  await waitUntil(async () => (await readLog(config.id)).length > 0, { what: 'The log row' })

  const sent = new URLSearchParams(request?.body).get('answer at') ?? ''
  expect(sent).toContain(`${pipeline.context.config.http.apiUrl}/api/v1/outcomes?token=lw_outcome_`)
  const read = readOutcome(
    pipeline.context.outcomeKeys,
    new URL(sent).searchParams.get('token') ?? '',
    new Date(),
  )
  expect(read).toMatchObject({ lead_id: lead, client_user_id: client, webhook_config_id: config.id })
  expect((read?.expires_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(89 * 24 * 3600 * 1000)
  const [row] = await readLog(config.id)
  expect(row?.response_body).toBe('{"error":"cannot store lw_outcome_••••"}')
  expect(decodeURIComponent(row?.request_body ?? '')).toContain('/outcomes?token=lw_outcome_••••')
  expect(JSON.stringify(row)).not.toMatch(/lw_outcome_[\w-]/i)
})

test('placeholders are filled into the query and headers, and the row of the log keeps only the configured URL', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith((request) => ({ status: 302, headers: { location: `/login?was=${request.path}` } }))
  const fields = {
    endpoint_url: `${crm.url}/leads?n={{name}}&token={{custom.key}}`,
    custom_headers: { 'X-Note': '{{comments}}', 'X-Fixed': 'fixed' },
  }
  const config = await givenConfig(pipeline.context, client, fields)
  const old = await givenConfig(pipeline.context, client, { ...fields, fills_address: false })
  await sendLead({
    name: 'Rosa & Söhne',
    comments: 'one\r\nX-Evil: 1 🦊',
    custom: '{"key":"secret-of-lead"}',
  })
  await waitUntil(async () => (await readLog(config.id)).length + (await readLog(old.id)).length > 1, {
    what: 'Both log rows',
  })

  const filled = await crm.waitFor((request) => request.path.includes('Rosa'))
  expect(filled.path).toBe('/leads?n=Rosa%20%26%20S%C3%B6hne&token=secret-of-lead')
  expect(filled.headers).toMatchObject({ 'x-note': 'one X-Evil: 1 ?', 'x-fixed': 'fixed' })
  expect(filled.headers['x-evil']).toBeUndefined()
  const plain = await crm.waitFor((request) => !request.path.includes('Rosa'))
  expect(decodeURI(plain.path)).toBe('/leads?n={{name}}&token={{custom.key}}')
  expect(plain.headers['x-note']).toBe('{{comments}}')

  const [row] = await readLog(config.id)
  expect(row).toMatchObject({
    request_url: `${crm.url}/leads?n={{name}}&token=••••`,
    filled_url: `${crm.url}/leads?n=Rosa%20%26%20S%C3%B6hne&token=••••`,
    error_class: 'redirect',
  })
  expect(row?.error_message).not.toMatch(/Rosa|secret/)
  expect(row?.request_headers).not.toMatch(/one|Evil/)
  expect((await readLog(old.id))[0]?.filled_url).toBeNull()
})

test('a webhook that wants it is also signed with its own Ed25519 keys, the old ones too after a rotation', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  const { db, secrets } = pipeline.context
  const config = await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/leads` })
  await takeSigningKeys(db, secrets)
  await sql`update client_webhook_configs set sign_asymmetric = true where id = ${config.id}`.execute(db)
  await replaceSigningKey(db, sealNewSeed(secrets), 30)
  const keys = (await listSigningKeys(db)).map(({ seed_sealed: seed }) =>
    createPublicKey(openSigningKey(secrets, seed, config.id)),
  )
  await sendLead()
  const [request] = await crm.waitForCount(1)
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': header } = request?.headers ?? {}
  const [hmac, ...others] = String(header).split(' ')
  const said = Buffer.from(`${String(id)}.${String(time)}.${request?.body ?? ''}`)
  expect(hmac).toMatch(/^v1,/)
  expect(keys).toHaveLength(2)
  expect(
    others.map((one, at) =>
      verify(null, said, keys[at] ?? '', Buffer.from(one.slice('v1a,'.length), 'base64')),
    ),
  ).toEqual([true, true])
})

test('awkward values arrive intact in JSON and in forms', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  const name = 'Zoë "The\nLead" O’Nöl 🦊 \u202bعربي\u202c <b>& {{email}}'
  const template =
    '{"n":"{{name}}","t":"Hi {{name}}!","2":1.50,"1":{"deal":"{{deal_size}}","none":"{{campaign}}"},"c":"{{custom.tier}}","r":"{{custom.rate}}","rt":"at {{custom.rate | default: 0}}"}'
  await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/json`, payload_template: template })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/form`,
    payload_type: 'FORM',
    request_method: 'PATCH',
    payload_template: template,
  })
  await sendLead({ name, deal_size: '1250.50', custom: '{"tier":3,"rate":7.10}' })
  await drain(pipeline.context)

  const json = await crm.waitFor((request) => request.path === '/json')
  expect(json.body).toContain('"2":1.50,"1":{')
  expect(json.body).toContain('"r":7.10,"rt":"at 7.10"')
  expect(JSON.parse(json.body)).toEqual({
    n: name,
    t: `Hi ${name}!`,
    2: 1.5,
    1: { deal: 1250.5, none: null },
    c: 3,
    r: 7.1,
    rt: 'at 7.10',
  })
  const form = await crm.waitFor((request) => request.path === '/form')
  expect(form.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect([...new URLSearchParams(form.body)]).toEqual([
    ['n', name],
    ['t', `Hi ${name}!`],
    ['2', '1.50'],
    ['1.deal', '1250.5'],
    ['1.none', ''],
    ['c', '3'],
    ['r', '7.10'],
    ['rt', 'at 7.10'],
  ])
})
