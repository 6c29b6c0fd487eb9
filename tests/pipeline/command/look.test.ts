import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { freePort } from '#scripts/services/free-port.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { readJson, runLeadwire } from './run-leadwire.ts'

const PERSON = { name: 'Rosa Example', email: 'rosa.trace@example.com', phone: '+12025550188' }

let pipeline: TestPipeline
let crm: Receiver
let lead: string
let webhook: string
beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '0' })
  crm = await startReceiver((_request, index) => (index === 0 ? 503 : 200))
  const client = await givenClient(pipeline.db)
  webhook = (
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/hook?key=hidden`,
      trigger_on_lead_created: true,
    })
  ).id
  lead = await givenLead(pipeline.db, client, PERSON)
  await publishEventsOfLead(pipeline.context, lead)
  await drain(pipeline.context)
})
afterAll(async () => {
  await crm.close()
  await pipeline.close()
})

const run = (...args: string[]) => runLeadwire(pipeline.environment.env, ...args)

test('trace shows every station of a lead, without personal data and without secrets of its webhook', async () => {
  const { code, stdout } = await run('trace', lead)
  expect({ code, stdout }).toMatchObject({ code: 0 })
  const stations = [...stdout.matchAll(/^ {2}\S+Z {2}(.+?) {2,}/gm)].map(([, station]) => station)
  expect(stations).toEqual([
    'received',
    'lead.created',
    'delivery planned',
    'attempt 1',
    'attempt 2',
    'delivery delivered',
  ])
  expect(stdout).toMatch(/attempt 1 .*status 503/)
  expect(stdout).toContain(`webhook ${webhook}`)
  for (const secret of [...Object.values(PERSON), 'hidden']) expect(stdout).not.toContain(secret)
})

test('trace finds a lead by address, phone, webhook-id and delivery, and shows the person if asked', async () => {
  const delivery = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_id'])
    .where('lead_id', '=', lead)
    .executeTakeFirstOrThrow()
  for (const key of [PERSON.email.toUpperCase(), '(202) 555-0188', delivery.id, delivery.event_id]) {
    const end = await run('trace', key, '--json')
    expect(readJson(end)).toMatchObject({ leads: [{ id: lead, lead_type: 'final_expense' }], more: 0 })
    expect(end.stdout).not.toContain(PERSON.name)
  }
  expect((await run('trace', lead, '--show-person')).stdout).toContain(Object.values(PERSON).join(', '))
})

test('the argument - is read from standard input, and its absence is wrong usage', async () => {
  const ask = (input: string) =>
    runScript({
      script: 'scripts/leadwire.ts',
      args: ['trace', '-', '--json'],
      env: pipeline.environment.env,
      input,
    })
  expect(readJson(await ask(`${PERSON.email}\n`))).toMatchObject({ leads: [{ id: lead }] })
  const none = await ask('')
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('Nothing came on standard input')
})

test('trace ends with 1 if it finds nothing, and with 2 for what can be no key', async () => {
  expect(await run('trace', 'nobody@example.com')).toMatchObject({ code: 1, stdout: 'No lead was found\n' })
  const odd = await run('trace', 'Rosa')
  expect(odd).toMatchObject({ code: 2, stdout: '' })
  expect(odd.stderr).toContain('Usage: leadwire trace <lead id')
  expect(odd.stderr).not.toContain('Rosa')
})

test('doctor finds nothing wrong with services in order, and says how many connections there are', async () => {
  const end = await run('doctor', '--json')
  const { findings } = readJson(end) as { findings: { check: string; result: string; found: string }[] }
  expect(findings.filter(({ result }) => result === 'wrong')).toEqual([])
  expect(end.code).toBe(0)
  const found = Object.fromEntries(findings.map(({ check, found: what }) => [check, what]))
  expect(found['Workers']).toContain('1 running')
  expect(found['Connections']).toMatch(/^\d+ of \d+ in use/)
  expect(found['Migrations']).toMatch(/^all \d+ applied$/)
  expect(found['Clocks']).toMatch(/^PostgreSQL [+-]\d+ ms, Redis [+-]\d+ ms$/)
})

test('doctor names what is away and what to do, and ends with 1', async () => {
  const port = await freePort()
  const { env } = pipeline.environment
  const away = {
    ...env,
    DATABASE_URL: `postgres://me:hush@127.0.0.1:${port}/none`,
    REDIS_URL: `redis://127.0.0.1:${port}`,
  }
  const { code, stdout } = await runLeadwire(away, 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/WRONG {5}PostgreSQL .*ECONNREFUSED/)
  expect(stdout).toMatch(/WRONG {5}Redis .*REDIS_URL/)
  expect(stdout).toContain('→ start Redis, or correct REDIS_URL')
  expect(stdout).not.toContain('hush')
  const faulty = await runLeadwire({ ...env, PORT: 'eighty' }, 'doctor')
  expect(faulty).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('WRONG     Environment') as string,
  })
})

test('doctor says whether the replica answers and follows, and that the primary is read meanwhile', async () => {
  const { env, databaseUrl } = pipeline.environment
  const check = async (url: string) => {
    const end = await runLeadwire({ ...env, DATABASE_REPLICA_URL: url }, 'doctor', '--json')
    const { findings } = readJson(end) as { findings: { check: string; result: string; found: string }[] }
    return { code: end.code, finding: findings.find((one) => one.check === 'Replica') }
  }
  const away = await check(`postgres://me:hush@127.0.0.1:${await freePort()}/none`)
  expect(away).toMatchObject({
    code: 0,
    finding: { result: 'doubtful', found: expect.stringContaining('ECONNREFUSED') as string },
  })
  expect(JSON.stringify(away)).not.toContain('hush')
  expect(await check(databaseUrl)).toMatchObject({
    code: 0,
    finding: { result: 'doubtful', found: expect.stringContaining('is no replica') as string },
  })
})

test('retention counts what is too old, with the oldest time, and removes it', async () => {
  const { db, environment } = pipeline
  const at = new Date(Date.now() - 500 * 86_400_000)
  const id = uuidAt(at, '00000000-0000-7000-8000-000000000001')
  await db.insertInto('auth.audit_log').values({ id, at, action: 'signed_in', details: '{}' }).execute()
  const env = { ...environment.env, AUDIT_RETENTION_DAYS: '400' }
  const auditRows = async () => {
    const end = await runLeadwire(env, 'retention', '--dry-run', '--json')
    const { previews } = readJson(end) as { previews: { what: string }[] }
    return previews.find(({ what }) => what === 'audit_rows')
  }
  expect(await auditRows()).toEqual({ what: 'audit_rows', days: 400, rows: 1, oldest_at: at.toISOString() })

  expect(await runLeadwire(env, 'retention', '--now')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1  rows of the audit log') as string,
  })

  expect(await auditRows()).toMatchObject({ rows: 0, oldest_at: null })
  // In words, each kind.
  const { stdout } = await runLeadwire(env, 'retention', '--dry-run')
  expect(stdout).toContain('late leads without a credit')
  expect(stdout).not.toContain('_')
  expect((await runLeadwire(env, 'retention')).code).toBe(2)
})

test('wrong usage ends with 2, and every command explains itself', async () => {
  expect(await run()).toMatchObject({ code: 2 })
  expect(await run('dance')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no command `dance`') as string,
  })
  expect(await run('trace')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Takes one argument') as string,
  })
  expect(await run('trace', lead, '--loud')).toMatchObject({ code: 2 })
  const help = await run('trace', '--help')
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--show-person') as string })
})

test('a command that needs PostgreSQL names it when it is away, also as JSON', async () => {
  const away = { ...pipeline.environment.env, DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none` }
  const end = await runLeadwire(away, 'trace', lead, '--json')
  expect(end.code).toBe(1)
  expect(readJson(end)).toEqual({
    error: expect.stringContaining('DATABASE_URL: the database cannot be used') as string,
  })
})
