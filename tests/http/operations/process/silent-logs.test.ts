import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { askServer } from '../../support/ask-server.ts'

const EMAIL = 'admin@example.com'
/** Marks of a person, an endpoint and a password that no process may print. */
const LEAD = {
  lead_type: 'final_expense',
  name: 'Zebedee Quillfeather',
  email: 'zebedee.quillfeather@example.com',
  phone: '+12025550187',
  city: 'Marksonville',
  state: 'CA',
  comments: 'calls-after-eight',
}
const MARKS = ['zebedee', 'quillfeather', '2025550187', '555-0187', 'marksonville', 'calls-after-eight']
const SECRETS = ['sesame-4711', 'opal-header-88', PASSWORD.toLowerCase()]

let environment: LabEnvironment
let server: LabServer
let worker: LabProcess
let receiver: Receiver
let token: string

beforeAll(async () => {
  // The endpoint answers with the request's body, as many do in their errors.
  receiver = await startReceiver(({ body }) => ({ status: 500, body }))
  environment = await createTestEnvironment({
    LOG_LEVEL: 'debug',
    SEED_ADMIN_EMAIL: EMAIL,
    SEED_ADMIN_PASSWORD: PASSWORD,
    WEBHOOK_RETRY_SCHEDULE: '0',
  })
  server = await startServer({ ...environment.env, LOG_LEVEL: 'debug' })
  worker = await startWorker({
    ...environment.env,
    LOG_LEVEL: 'debug',
    FAILPOINTS: 'before-plan=error*1,before-send=error*1',
  })
  const session = await call('POST', '/auth/v1/token?grant_type=password', {
    email: EMAIL,
    password: PASSWORD,
  })
  token = String(session['access_token'])
})
afterAll(async () => {
  await worker.stop()
  await server.stop()
  await receiver.close()
  await environment.close()
})

const call = async (method: string, path: string, body?: unknown, bearer?: string) =>
  (await askServer(server.url, { method, path, body, bearer })).json

async function givenWebhook(endpoint: string): Promise<string> {
  const made = await call(
    'POST',
    '/api/v1/webhook-configs',
    {
      webhook_name: 'CRM',
      endpoint_url: endpoint,
      trigger_on_lead_created: true,
      custom_headers: { 'X-Api-Key': 'opal-header-88' },
    },
    token,
  )
  return String(made['id'])
}

test('server and worker never print a lead’s data or a secret, whatever fails', async () => {
  const dead = await startReceiver()
  const failing = await givenWebhook(`${receiver.url}/hook?key=sesame-4711`)
  await givenWebhook(`${dead.url}/gone?key=sesame-4711`)
  await dead.close()
  const source = await call('POST', '/api/v1/admin/sources', { name: 'Form' }, token)
  const key = String(source['api_key'])

  // An accepted lead, a repeat, errors of many kinds, and a stranger's input.
  await call('POST', '/api/v1/leads', { ...LEAD, external_id: 'a-1' }, key)
  await call('POST', '/api/v1/leads', { ...LEAD, external_id: 'a-1' }, key)
  await call('POST', '/api/v1/leads', { ...LEAD, email: 'zebedee.quillfeather' }, key)
  await call('POST', '/api/v1/leads', { ...LEAD, comments: 'calls-after-eight\u0000' }, key)
  await call('POST', '/api/v1/leads', `{"name": "Zebedee Quillfeather" oops`, key)
  await call('POST', '/api/v1/leads/batch', [LEAD, { ...LEAD, state: 'Marksonville' }], key)
  await call('GET', `/api/v1/leads?search=quillfeather&state=Marksonville`, undefined, token)
  await call('GET', `/api/v1/leads/${LEAD.email}`, undefined, token)
  await call('GET', `/api/v1/leads/2025550187`, undefined, token)
  await call('GET', `/nothing/${encodeURIComponent(LEAD.email)}`)
  await call('POST', '/auth/v1/token?grant_type=password', { email: LEAD.email, password: PASSWORD })
  await call('POST', '/auth/v1/signup', { email: LEAD.email, password: 'short', data: { name: LEAD.name } })
  await call(
    'POST',
    '/functions/v1/test-webhook-endpoint',
    { endpoint_url: `${receiver.url}/hook?key=sesame-4711`, request_method: 'POST', payload_type: 'JSON' },
    token,
  )
  await waitUntil(
    async () => {
      const { data } = await call('GET', '/api/v1/admin/dead-letters', undefined, token)
      return (data as unknown[]).length >= 4
    },
    { timeoutMs: 30_000, what: 'Deliveries to both endpoints having failed for good' },
  )
  await call(
    'POST',
    `/api/v1/webhook-configs/${failing}/resend-failed`,
    { since: '2020-01-01', dry_run: false },
    token,
  )
  await receiver.waitFor(({ body }) => body.includes('Quillfeather'))
  await worker.stop()
  await server.stop()

  const printed = (server.output() + worker.output()).toLowerCase()
  // The failures were logged, with their ids.
  expect(printed).toContain('a stage failed and will be repeated')
  expect(printed).toContain('"job_id":"evt-')
  for (const mark of [...MARKS, ...SECRETS]) expect(printed).not.toContain(mark)
})
