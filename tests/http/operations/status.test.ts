// The public status page, its incidents, and late leads as clients see them.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { needsSchema, type NeedKind } from '#core/contract/operations/needs.ts'
import { keepPromiseHour, listPromiseHours } from '#core/data/operations/promise-hours.ts'
import { createReadStatus } from '#server/operations/status/show-status.ts'
import { readAudit } from '../market/read-audit.ts'
import { givePricedLead } from '../market/give-priced-lead.ts'
import { startForTwo } from '../leads/start-for-two.ts'

const INCIDENTS = '/api/v1/admin/incidents'
const { app, client, other } = await startForTwo()

const asAdmin = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: app.admin.token, body })
const needOf = async (kind: NeedKind) =>
  needsSchema
    .parse((await asAdmin('GET', '/api/v1/admin/needs')).json)
    .data.find((group) => group.kind === kind)
const INCIDENT = {
  title: 'Deliveries were late',
  message: '<script>alert(1)</script> & more',
  began_at: '2026-11-30T06:00:00.000Z',
  ended_at: null,
}

test('an administrator writes, changes and removes incidents, each with a reason and an audit row', async () => {
  expect((await asAdmin('POST', INCIDENTS, INCIDENT)).status).toBe(422)
  const { json, status } = await asAdmin('POST', INCIDENTS, { ...INCIDENT, note: 'PostgreSQL is away' })
  expect(status).toBe(201)
  const backwards = { ...INCIDENT, ended_at: '2026-11-30T05:00:00.000Z', note: 'Over' }
  expect((await asAdmin('PATCH', `${INCIDENTS}/${json.id}`, backwards)).status).toBe(422)
  const ended = { ...INCIDENT, ended_at: '2026-11-30T07:00:00.000Z', note: 'Over' }
  expect((await asAdmin('PATCH', `${INCIDENTS}/${json.id}`, ended)).json).toMatchObject({
    ended_at: ended.ended_at,
  })

  const shown = await createReadStatus(app.context.db)()
  // Plain text: the page sets it as text, and JSON keeps it as it was written.
  expect(shown.incidents).toMatchObject([
    { title: INCIDENT.title, message: INCIDENT.message, ended_at: ended.ended_at },
  ])
  expect((await asAdmin('DELETE', `${INCIDENTS}/${json.id}`, { note: 'A rehearsal' })).status).toBe(204)
  expect((await asAdmin('DELETE', `${INCIDENTS}/${json.id}`, { note: 'A rehearsal' })).status).toBe(404)
  expect((await createReadStatus(app.context.db)()).incidents).toEqual([])
  expect(await readAudit(app, 'incident_written')).toMatchObject([
    { actor_id: app.admin.id, details: { after: { title: INCIDENT.title }, note: 'PostgreSQL is away' } },
  ])
  expect(await readAudit(app, 'incident_changed')).toMatchObject([
    { details: { before: { ended_at: null }, after: { ended_at: ended.ended_at }, note: 'Over' } },
  ])
  expect(await readAudit(app, 'incident_removed')).toMatchObject([{ details: { note: 'A rehearsal' } }])
})

test('clients neither read nor write incidents by the administration’s calls', async () => {
  const body = { ...INCIDENT, note: 'Mine' }
  for (const [method, path, sent] of [
    ['GET', INCIDENTS, {}],
    ['POST', INCIDENTS, { body }],
    ['PATCH', `${INCIDENTS}/${randomUUID()}`, { body }],
    ['DELETE', `${INCIDENTS}/${randomUUID()}`, { body: { note: 'Mine' } }],
  ] as const) {
    expect((await app.call(method, path, sent)).status).toBe(401)
    expect((await app.call(method, path, { token: client.token, ...sent })).status).toBe(403)
  }
})

test('everybody reads the percentages of past hours, and no numbers of leads', async () => {
  const { db } = app.context
  await sql`update lead_types set late_credit = true`.execute(db)
  const hour = sql`date_trunc('hour', now()) - interval '1 hour'`
  await sql`delete from promise_hours`.execute(db)
  await sql`insert into promise_hours (hour, form, begun, late) values (date_trunc('hour', now()) - interval '3 hours', 0, 0, 0), (${hour}, 1, 3000, 7),
    (${hour} - interval '5 days', 1, 19, 19)`.execute(db)
  const { json, headers, text } = await app.call('GET', '/api/v1/status')
  expect(headers.get('cache-control')).toBe('public, max-age=60')
  expect(json).toMatchObject({ objective: { percent: 99.9, seconds: 5 }, incidents: [] })
  expect(text).toContain('99.76')
  expect(text).not.toContain('3000')
  const { days, month } = await createReadStatus(db)()
  expect(days.map(({ in_time: percent }) => percent)).toEqual([null, 99.76])
  expect(month.kept).toBe(100)

  // Hours are counted once after their end, and once more when late leads are judged.
  for (const due of await listPromiseHours(db)) expect(await keepPromiseHour(db, due)).toBe(true)
  expect(await listPromiseHours(db)).toEqual([])
})

test('one network may ask 60 times a minute', async () => {
  const answers = await Promise.all(Array.from({ length: 70 }, () => app.call('GET', '/api/v1/status')))
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10)
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('a client reads the stations and the credit of its own late lead, and of no other client’s', async () => {
  const { db } = app.context
  const lead = await givePricedLead(app, client)
  const write = async (owner: string, credit: string, reason: string | null): Promise<void> => {
    await sql`
      insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
        ours_ms, price, credit, reason, credited_at)
      values (${randomUUID()}, ${lead}, ${owner}, 'final_expense', now(), now(), now(), now(), '[{"part":"sale","ms":6000,"is_ours":true}]',
        6000, 25, ${credit}, ${reason}, case when ${credit}::text = 'credited' then now() end)`.execute(db)
  }
  await write(client.id, 'credited', null)
  await write(client.id, 'none', 'off')
  await write(other.id, 'credited', null)
  const read = async (token: string) => await app.call('GET', `/api/v1/leads/${lead}`, { token })
  expect((await read(client.token)).json).toMatchObject({
    late: [
      {
        credit: 'credited',
        amount: '25.00',
        ours_ms: 6000,
        parts: [{ part: 'sale', ms: 6000, is_ours: true }],
      },
    ],
  })
  expect((await read(app.admin.token)).json).toMatchObject({ late: { length: 3 } })
  expect((await read(other.token)).status).toBe(404)
})

test('late credits are switched on by lead type, and limited by a setting, with audit rows', async () => {
  const { json } = await asAdmin('POST', '/api/v1/admin/lead-types', {
    code: 'late_one',
    label: 'Late one',
    price: '5',
    floor_price: '5',
  })
  expect(json).toMatchObject({ late_credit: false })
  const on = await asAdmin('PATCH', '/api/v1/admin/lead-types', {
    code: 'late_one',
    late_credit: true,
    note: 'Promised',
  })
  expect(on.json).toMatchObject({ late_credit: true })
  expect(await readAudit(app, 'lead_type_changed')).toMatchObject([
    { details: { before: { late_credit: false }, after: { late_credit: true }, note: 'Promised' } },
  ])
  await sql`update late_leads set credit = 'waiting', credited_at = null, reason = 'daily_limit', wait_until = now() + interval '1 day'`.execute(
    app.context.db,
  )
  expect(await needOf('late_credit')).toMatchObject({ count: 3, items: [{ amount: '25.00' }, {}, {}] })
  const limited = await asAdmin('PATCH', '/api/v1/admin/settings', {
    late_credit_daily_dollars: 900,
    note: 'More',
  })
  expect(limited.json).toMatchObject({
    late_credit_daily_dollars: 900,
    usual: { late_credit_daily_dollars: 500 },
  })
  expect((await readAudit(app, 'settings_changed'))[0]).toMatchObject({
    details: { after: { late_credit_daily_dollars: 900 }, note: 'More' },
  })
  const { rows } = await sql<{
    late: number
  }>`select count(*)::int as late from late_leads where wait_until > now()`.execute(app.context.db)
  expect(rows).toEqual([{ late: 0 }])
})

test('an administrator decides once about a late lead whose times cannot be trusted', async () => {
  const { db } = app.context
  const id = randomUUID()
  await sql`
    insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
      ours_ms, price, credit, reason)
    values (${id}, ${randomUUID()}, ${client.id}, 'final_expense', now(), now(), now(), now(), '[]', 6000, 25, 'unclear', 'clock_jumped')`.execute(
    db,
  )
  const path = `/api/v1/admin/late-leads/${id}/decide`
  expect(
    (await app.call('POST', path, { token: client.token, body: { credit: true, note: 'Mine' } })).status,
  ).toBe(403)
  expect((await asAdmin('GET', '/api/v1/admin/late-leads')).json.data).toMatchObject([
    { id, reason: 'clock_jumped' },
  ])
  expect(await needOf('late_lead')).toMatchObject({ count: 1, items: [{ id, detail: 'clock_jumped' }] })
  expect((await asAdmin('POST', path, { credit: true })).status).toBe(422)
  const decide = () => asAdmin('POST', path, { credit: true, note: 'It was late' })
  const statuses = (await Promise.all([decide(), decide()])).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 409])
  const row = await db.selectFrom('late_leads').selectAll().where('assignment_id', '=', id).executeTakeFirst()
  expect(row).toMatchObject({ credit: 'waiting', decided_by: app.admin.id })
  expect(await readAudit(app, 'late_lead_credited')).toMatchObject([
    { user_id: client.id, details: { amount: '25.00', note: 'It was late' } },
  ])
})
