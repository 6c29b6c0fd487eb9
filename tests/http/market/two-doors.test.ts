import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLead, startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Kind = { owner: 'none' | 'client' | 'erased'; is_test: boolean }

async function makeSource({ owner }: Kind, autoAssign: boolean) {
  const person = owner === 'none' ? undefined : await app.newClient()
  const source = await app.newSource({ ...(person && { owner: person }), auto_assign: autoAssign })
  if (owner === 'erased')
    await sql`update auth.users set deleted_at = now() where id = ${person?.id}`.execute(app.context.db)
  return { ...source, owner: person?.id ?? null }
}

async function post(key: string, kind: Kind): Promise<string> {
  const body = newLead({ is_test: kind.is_test })
  const { status, json } = await app.call('POST', '/api/v1/leads', { token: key, body })
  expect(status).toBe(201)
  return json.lead_id
}

async function assign(id: string) {
  const { rows } = await sql<{ answer: Record<string, unknown> }>`
    select assign_lead_to_buyer_concurrent(${id}) as answer`.execute(app.context.db)
  return rows[0]?.answer ?? {}
}

/** Reads everything that is stored about a lead's holder, without the ids that differ for every lead. */
async function read(id: string, owner: string | null) {
  const { rows } = await sql<{ kept: unknown }>`
    select jsonb_build_object(
      'lead', jsonb_build_object('status', l.status, 'order', l.order_id, 'price', l.price_charged,
        'to_owner', l.assigned_to = ${owner}::uuid, 'has_time', l.assigned_at is not null),
      'assignments', (select jsonb_agg(to_jsonb(a) - '{id,lead_id,client_user_id,assigned_at}'::text[] ||
          jsonb_build_object('to_owner', a.client_user_id = ${owner}::uuid, 'at_once', a.assigned_at = l.assigned_at))
        from lead_assignments a where a.lead_id = l.id),
      'events', (select jsonb_agg(jsonb_build_object('type', e.type, 'to_owner', e.client_user_id = ${owner}::uuid,
          'reason', e.data ->> 'reason', 'waits', e.planned_at is null, 'names_assignment',
          e.data ->> 'assignment_id' = (select a.id::text from lead_assignments a where a.lead_id = l.id)) order by e.type)
        from events e where e.lead_id = l.id)) as kept
    from leads l where l.id = ${id}`.execute(app.context.db)
  return rows[0]?.kept
}

describe.each<[string, Kind, string]>([
  ['of a source that names its client', { owner: 'client', is_test: false }, 'assigned'],
  ['of a source that names its client, for a test', { owner: 'client', is_test: true }, 'assigned'],
  ['of a source whose client was erased', { owner: 'erased', is_test: false }, 'not_assignable'],
  ['of a source that names nobody', { owner: 'none', is_test: false }, 'no_buyer'],
  ['of a source that names nobody, for a test', { owner: 'none', is_test: true }, 'not_assignable'],
])('a lead %s', (_what, kind, outcome) => {
  test('is stored in the same way by immediate decision and by the procedure', async () => {
    const handing = await makeSource(kind, true)
    const keeping = await makeSource(kind, false)
    const judgedAtOnce = await post(handing.key, kind)
    const judgedLater = await post(keeping.key, kind)
    const answer = await assign(judgedLater)

    expect(answer).toMatchObject({ outcome, success: outcome === 'assigned', lead_id: judgedLater })
    const kept = await read(judgedAtOnce, handing.owner)
    expect(kept).toEqual(await read(judgedLater, keeping.owner))

    // A repeated call changes neither.
    const again = [await assign(judgedAtOnce), await assign(judgedLater)]
    const repeated = outcome === 'assigned' ? 'already_assigned' : outcome
    expect(again.map((one) => one['outcome'])).toEqual([repeated, repeated])
    expect(again[0]?.['reason']).toEqual(again[1]?.['reason'])
    expect(again[1]?.['assignment_id']).toEqual(answer['assignment_id'])
    expect(await read(judgedAtOnce, handing.owner)).toEqual(kept)
  })

  test('is stored in the same way by the previous version', async () => {
    const { id: source, key, owner } = await makeSource(kind, true)
    const expected = await read(await post(key, kind), owner)
    const { rows } = await sql<{ lead_id: string }>`
      with received as (
        insert into leads (lead_type, user_id, source_id, is_test, status)
        values ('auto', ${owner}, ${source}, ${kind.is_test}, 'new') on conflict do nothing returning id, user_id
      ), told as (
        insert into events (type, lead_id, client_user_id) select 'lead.created', id, user_id from received
        returning id, lead_id
      )
      select told.lead_id, told.id as event_id, assign_lead_to_buyer_concurrent(told.lead_id) as assignment from told
    `.execute(app.context.db)

    expect(await read(rows[0]?.lead_id ?? '', owner)).toEqual(expected)
  })
})

test('a lead that nobody wanted goes to its client once it has one', async () => {
  const { key } = await makeSource({ owner: 'none', is_test: false }, true)
  const client = await app.newClient()
  const id = await post(key, { owner: 'none', is_test: false })
  await sql`update leads set user_id = ${client.id} where id = ${id}`.execute(app.context.db)

  expect(await assign(id)).toMatchObject({ outcome: 'assigned', buyer_id: client.id, price: 0 })
  const { status, assigned_to } = (await app.call('GET', `/api/v1/leads/${id}`, { token: client.token })).json
  expect({ status, assigned_to }).toEqual({ status: 'assigned', assigned_to: client.id })
})
