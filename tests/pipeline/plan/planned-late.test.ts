import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { conditionsSchema, type Conditions } from '#core/contract/webhooks/conditions.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { createChoiceReader, keyOfChoice } from '#core/use-cases/planning/read-choices.ts'
import {
  assignLead,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type GivenLead,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let client: string

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())
beforeEach(async () => {
  client = await givenClient(pipeline.db)
})

type Fields = Partial<Parameters<typeof givenConfig>[2]>
const listen = async (fields: Fields = {}, owner = client) =>
  (
    await givenConfig(pipeline.context, owner, {
      endpoint_url: 'https://crm.example.com/',
      trigger_on_lead_created: true,
      trigger_on_lead_assigned: false,
      ...fields,
    })
  ).id

const happen = async (fields: GivenLead = {}) => await givenLead(pipeline.db, client, fields)

/** Plans these leads' events as the relay does after an outage. */
async function plan(leads: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from events where lead_id = any(${[...leads]}::uuid[]) and planned_at is null
      and type in ('lead.created', 'lead.assigned')`.execute(pipeline.db)
  await planDeliveries(
    pipeline.db,
    rows.map(({ id }) => ({ event_id: id, turn: 0 })),
  )
}

/** Returns a lead's outcome at each webhook, as `id state` or `id skipped`. */
async function outcomes(lead: string): Promise<string[]> {
  const { rows } = await sql<{ outcome: string }>`
    select webhook_config_id || ' ' || state as outcome from webhook_deliveries where lead_id = ${lead}
    union all
    select data ->> 'webhook_config_id' || ' skipped' from events
    where lead_id = ${lead} and type = 'delivery.skipped'
    order by 1`.execute(pipeline.db)
  return rows.map(({ outcome }) => outcome)
}

const change = async (
  id: string,
  to: { created?: boolean; assigned?: boolean; conditions?: Conditions | null },
) => {
  const set = [
    ...(to.created === undefined ? [] : [sql`trigger_on_lead_created = ${to.created}`]),
    ...(to.assigned === undefined ? [] : [sql`trigger_on_lead_assigned = ${to.assigned}`]),
    ...(to.conditions === undefined
      ? []
      : [sql`conditions = ${to.conditions === null ? null : JSON.stringify(to.conditions)}::jsonb`]),
  ]
  // An older server changes a configuration like this, without the history of choices.
  await sql`update client_webhook_configs set ${sql.join(set)}, updated_at = now() where id = ${id}`.execute(
    pipeline.db,
  )
}
const only = (state: string) =>
  conditionsSchema.parse({ match: 'all', rules: [{ field: 'state', is: [state] }] })

describe('a lead that is planned late is judged by its webhook’s settings at the time of the lead', () => {
  test('the lead is sent if the trigger was unticked afterwards', async () => {
    const id = await listen()
    const lead = await happen()
    await change(id, { created: false })
    const later = await happen()
    await plan([lead, later])

    expect(await outcomes(lead)).toEqual([`${id} pending`])
    expect(await outcomes(later)).toEqual([])
  })

  test('the lead is not sent if the trigger was ticked, or the webhook created, afterwards', async () => {
    const ticked = await listen({ trigger_on_lead_created: false })
    const lead = await happen()
    await change(ticked, { created: true })
    const made = await listen()
    const later = await happen()
    await plan([lead, later])

    expect(await outcomes(lead)).toEqual([])
    expect(await outcomes(later)).toEqual([`${ticked} pending`, `${made} pending`].toSorted())
  })

  test('the lead is not sent if it came while the trigger was unticked', async () => {
    const id = await listen()
    const [first] = [await happen()]
    await change(id, { created: false })
    const between = await happen()
    await change(id, { created: true })
    const last = await happen()
    await plan([first, between, last])

    expect(await outcomes(first)).toEqual([`${id} pending`])
    expect(await outcomes(between)).toEqual([])
    expect(await outcomes(last)).toEqual([`${id} pending`])
  })

  test('each of the two triggers is judged separately', async () => {
    const id = await listen({ trigger_on_lead_assigned: true })
    const lead = await happen()
    await assignLead(pipeline.db, lead)
    await change(id, { created: false, assigned: false })
    const other = await happen()
    await change(id, { assigned: true })
    await assignLead(pipeline.db, other)
    await plan([lead, other])

    expect(await outcomes(lead)).toEqual([`${id} pending`, `${id} pending`])
    expect(await outcomes(other)).toEqual([`${id} pending`])
  })

  test('conditions that were changed, added or removed afterwards do not count', async () => {
    const changed = await listen({ conditions: only('CA') })
    const added = await listen()
    const removed = await listen({ conditions: only('CA') })
    const fitting = await happen({ state: 'CA' })
    const other = await happen({ state: 'TX' })
    await change(changed, { conditions: only('TX') })
    await change(added, { conditions: only('CA') })
    await change(removed, { conditions: null })
    const later = await happen({ state: 'TX' })
    await plan([fitting, other, later])

    expect(await outcomes(fitting)).toEqual(
      [`${changed} pending`, `${added} pending`, `${removed} pending`].toSorted(),
    )
    expect(await outcomes(other)).toEqual(
      [`${changed} skipped`, `${added} pending`, `${removed} skipped`].toSorted(),
    )
    expect(await outcomes(later)).toEqual(
      [`${changed} pending`, `${added} skipped`, `${removed} pending`].toSorted(),
    )
  })

  test('each lead of a batch is judged by the conditions of its own time', async () => {
    const states = ['CA', 'TX', 'NY', 'FL']
    const id = await listen({ conditions: only('CA') })
    const leads: string[] = []
    for (const state of states) {
      await change(id, { conditions: only(state) })
      leads.push(await happen({ state }), await happen({ state: 'WA' }))
    }
    await plan(leads)

    const found = await Promise.all(leads.map(outcomes))
    expect(found).toEqual(states.flatMap(() => [[`${id} pending`], [`${id} skipped`]]))
  })

  test('an administrator’s webhook is judged in the same way', async () => {
    const admin = await givenClient(pipeline.db, 'admin')
    const id = await listen({}, admin)
    const lead = await happen()
    await change(id, { created: false })
    const later = await happen()
    await plan([lead, later])
    await pipeline.db.deleteFrom('client_webhook_configs').where('id', '=', id).execute()

    const { rows } = await sql<{ type: string }>`
      select type from events where lead_id = any(${[lead, later]}::uuid[]) and planned_at is null`.execute(
      pipeline.db,
    )
    expect(rows).toEqual([])
  })

  test('a change of other settings, or one that changes nothing, makes no version', async () => {
    const id = await listen({ conditions: only('CA') })
    const lead = await happen({ state: 'CA' })
    await change(id, { conditions: only('CA'), created: true })
    await sql`update client_webhook_configs set webhook_name = 'Other', payload_type = 'FORM' where id = ${id}`.execute(
      pipeline.db,
    )
    await plan([lead])

    expect(await outcomes(lead)).toEqual([`${id} pending`])
    const { rows } = await sql`select from webhook_choices where webhook_config_id = ${id}`.execute(
      pipeline.db,
    )
    expect(rows).toEqual([])
  })

  test('a webhook that was deleted afterwards gets nothing', async () => {
    const id = await listen()
    const lead = await happen()
    await change(id, { created: false })
    await pipeline.db.deleteFrom('client_webhook_configs').where('id', '=', id).execute()
    await plan([lead])

    expect(await outcomes(lead)).toEqual([])
  })
})

test('a change that waits for a lock counts from the moment it is made, not from the moment it began', async () => {
  const id = await listen()
  const { db } = pipeline
  const mayGoOn = Promise.withResolvers<undefined>()
  const hasBegun = Promise.withResolvers<undefined>()
  const changing = db.transaction().execute(async (trx) => {
    await sql`select now()`.execute(trx)
    hasBegun.resolve(undefined)
    await mayGoOn.promise
    await sql`update client_webhook_configs set trigger_on_lead_created = false where id = ${id}`.execute(trx)
  })
  await hasBegun.promise
  const lead = await happen()
  mayGoOn.resolve(undefined)
  await changing
  await plan([lead])

  expect(await outcomes(lead)).toEqual([`${id} pending`])
})

test('a worker does not confuse cached earlier conditions with the present ones', async () => {
  const id = await listen({ conditions: only('CA') })
  await change(id, { conditions: only('TX') })
  const { rows } = await sql<{ choice: string }>`
    select id as choice from webhook_choices where webhook_config_id = ${id}`.execute(pipeline.db)
  const asked = [null, rows[0]?.choice ?? ''].map((choice_id) => ({
    webhook_config_id: id,
    version: `asked for ${choice_id}`,
    choice_id,
  }))
  const readChoices = createChoiceReader(pipeline.db)
  for (let time = 0; time < 2; time += 1) {
    const choices = await readChoices(asked)
    const read = asked.map((one) => choices.get(keyOfChoice(one))?.version)
    expect(read[0]).toMatch(/^ [\d.]+$/)
    expect(read[1]).toBe(` ${rows[0]?.choice}`)
  }
})

test('a lead is planned by the conditions of its time, even while they keep changing', async () => {
  const id = await listen({ conditions: only('CA') })
  const leads: string[] = []
  for (let made = 0; made < 20; made += 1) leads.push(await happen({ state: 'CA' }))
  const planned = new AbortController()
  const changing = (async () => {
    for (let turn = 0; !planned.signal.aborted; turn += 1)
      await change(id, { conditions: only(turn % 2 === 0 ? 'TX' : 'NY') })
  })()
  try {
    for (const lead of leads) await plan([lead])
  } finally {
    planned.abort()
    await changing
  }

  expect(await Promise.all(leads.map(outcomes))).toEqual(leads.map(() => [`${id} pending`]))
})
