import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  clientAccountConflictSchema,
  clientAccountSchema,
  type ClientAccount,
} from '#core/contract/market/client-account.ts'
import { findClientAccount } from '#core/data/market/client-accounts.ts'
import { readSetup } from '#core/data/market/client-setup.ts'
import { listEntries, postEntries } from '#core/data/market/ledger.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { signUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

const patch = (body: unknown, token = client.token): Promise<CallResult> =>
  app.call('PATCH', '/api/v1/account', { token, body })
const read = async (): Promise<ClientAccount> =>
  clientAccountSchema.parse((await app.call('GET', '/api/v1/account', { token: client.token })).json)

test('a new client has an account with every notice on; administrators and strangers have none', async () => {
  expect(await read()).toMatchObject({
    user_id: client.id,
    status: 'onboarding',
    version: 1,
    low_balance_threshold: '100.00',
    auto_recharge_enabled: false,
    notices: { low_balance: true, out_of_funds: true, payments: true },
  })
  const of = async (token?: string) => (await app.call('GET', '/api/v1/account', { token })).status
  expect([await of(app.admin.token), await of()]).toEqual([404, 401])
  expect((await patch({ version: 1 }, app.admin.token)).status).toBe(404)
})

test('changes are stored in a normal form, and other fields stay', async () => {
  const { version } = await read()
  const change = {
    version,
    business_name: '  Example Insurance ',
    phone: '(202) 555-0143',
    timezone: 'america/chicago',
    npn: '12345678',
    licensed_states: ['texas', 'CA', 'ca'],
    low_balance_threshold: 25.5,
    notices: { low_balance: false },
  }
  const { status, json } = await patch(change)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    business_name: 'Example Insurance',
    phone: '+12025550143',
    timezone: 'America/Chicago',
    npn: '12345678',
    licensed_states: ['CA', 'TX'],
    low_balance_threshold: '25.50',
    notices: { low_balance: false, out_of_funds: true, payments: true },
    version: version + 1,
  })
  const later = await patch({ version: version + 1, business_name: '', notices: { payments: false } })
  expect(later.json).toMatchObject({
    business_name: null,
    npn: '12345678',
    notices: { low_balance: false, out_of_funds: true, payments: false },
  })
})

test('a change of an earlier version gets both values, and changes nothing', async () => {
  const { version } = await read()
  await patch({ version, npn: '1' })
  const { status, json } = await patch({ version, npn: '2', phone: '2025550199' })
  expect(status).toBe(409)
  const conflict = clientAccountConflictSchema.parse(json)
  expect(conflict).toMatchObject({
    code: 'version_conflict',
    current: { npn: '1', version: version + 1 },
    yours: { npn: '2', phone: '+12025550199' },
  })
  expect(conflict.errors.map(({ path }) => path)).toEqual(['phone', 'npn'])
  expect((await read()).npn).toBe('1')
})

test('of two simultaneous changes of one version, one succeeds', async () => {
  const { version } = await read()
  const answers = await Promise.all(['11', '22', '33'].map((npn) => patch({ version, npn })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect((await read()).version).toBe(version + 1)
})

test.each([
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+05:00' }, 'timezone'],
  [{ timezone: null }, 'timezone'],
  [{ phone: '123' }, 'phone'],
  [{ npn: '12a' }, 'npn'],
  [{ timezone: 'AST' }, 'timezone'],
  [{ npn: '12345678901' }, 'npn'],
  [{ business_name: 'x'.repeat(121) }, 'business_name'],
  [{ business_name: '\ud83d' }, 'business_name'],
  [{ licensed_states: ['CA', 'Mars'] }, 'licensed_states.1'],
  [{ licensed_states: ['CA', 'FM'] }, 'licensed_states'],
  [{ low_balance_threshold: '1e3' }, 'low_balance_threshold'],
  [{ low_balance_threshold: -1 }, 'low_balance_threshold'],
  [{ auto_recharge_threshold: 19.99 }, 'auto_recharge_threshold'],
  [{ auto_recharge_amount: 10_000.01 }, 'auto_recharge_amount'],
  [{ auto_recharge_enabled: true }, 'auto_recharge_threshold'],
  [{ auto_recharge_amount: 100, auto_recharge_monthly_max: 99 }, 'auto_recharge_monthly_max'],
  [{ notices: { everything: true } }, 'notices.everything'],
])('%j is refused at its field', async (change, path) => {
  const { version } = await read()
  const { status, json } = await patch({ version, ...change })
  expect([status, json.errors[0]?.path]).toEqual([422, path])
  expect((await read()).version).toBe(version)
})

test('a licence may keep states that are no longer sold', async () => {
  await sql`update client_accounts set licensed_states = '{CA,FM}' where user_id = ${client.id}`.execute(
    app.context.db,
  )
  const account = await read()
  const back = await patch({ ...account, npn: '12345' })
  expect(back).toMatchObject({ status: 200, json: { licensed_states: ['CA', 'FM'], npn: '12345' } })
  const more = await patch({ version: account.version + 1, licensed_states: ['CA', 'FM', 'palau'] })
  expect(more.json.errors).toEqual([
    { path: 'licensed_states', message: 'Leads from Palau (PW) are not sold' },
  ])
})

test('a change without its version is refused', async () => {
  expect((await patch({ npn: '5' })).json.errors.map(({ path }) => path)).toEqual(['version'])
})

test('the auto-recharge keeps its amounts, and is not offered without a payment provider', async () => {
  const { version } = await read()
  const amounts = {
    auto_recharge_threshold: '50',
    auto_recharge_amount: 250,
    auto_recharge_monthly_max: 1000,
  }
  const on = await patch({ version, auto_recharge_enabled: true, ...amounts })
  expect([on.status, on.json.errors]).toEqual([
    422,
    [{ path: 'auto_recharge_enabled', message: 'No payment provider is configured here' }],
  ])
  const off = await patch({ version, auto_recharge_enabled: false, ...amounts })
  expect(off.json).toMatchObject({
    auto_recharge_enabled: false,
    auto_recharge_monthly_max: '1000.00',
    auto_recharge_agreed_at: null,
    saved_method: null,
  })
})

test('an erased account no longer identifies its owner, and keeps its payments', async () => {
  const { version } = await read()
  await patch({
    version,
    business_name: 'Example',
    phone: '2025550143',
    npn: '77',
    licensed_states: ['TX'],
  })
  await app.call('POST', '/api/v1/setup/skip', { token: client.token, body: { step: 'funds' } })
  await postEntries(app.context.db, [
    { client_user_id: client.id, entry_type: 'manual_credit', amount: '5.00', note: 'Kept' },
  ])
  await app.context.db.transaction().execute((trx) => eraseAccount(trx, client.id, app.admin.id))
  expect(await findClientAccount(app.context.db, client.id)).toMatchObject({
    business_name: null,
    phone: null,
    npn: null,
    licensed_states: [],
  })
  expect((await readSetup(app.context.db, client.id)).skipped).toEqual([])
  expect(await listEntries(app.context.db, client.id, { limit: 5, before: undefined })).toHaveLength(1)
})

test('every zone of the browser that PostgreSQL knows can be chosen for counting days', async () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::int as unknown from unnest(${zones}::text[]) as zone
    where not exists (select from pg_timezone_names n where n.name = zone)`.execute(app.context.db)
  expect(rows[0]?.unknown).toBeLessThan(zones.length / 20)
})

let owner: Person
const readOf = async ({ token }: Person) =>
  clientAccountSchema.parse((await app.call('GET', '/api/v1/account', { token })).json)
const change = (body: unknown) => patch(body, owner.token)

test('new kinds of mail are off until they are chosen, and quiet hours are kept and removed', async () => {
  owner = await app.newClient()
  const { version, notices, quiet_hours } = await readOf(owner)
  expect(notices).toMatchObject({ new_leads: false, lead_contacts: false, caps: false, weekly_digest: false })
  expect(quiet_hours).toBeNull()
  const night = { from: '21:00', to: '07:00' }
  const chosen = await change({ version, notices: { new_leads: true }, quiet_hours: night })
  expect(chosen.json).toMatchObject({ notices: { new_leads: true, caps: false }, quiet_hours: night })
  const refused = await Promise.all(
    [{ from: '21:00', to: '21:00' }, { from: '24:00', to: '07:00' }, { from: '21:00' }, 'night'].map(
      async (hours) => (await change({ version: version + 1, quiet_hours: hours })).status,
    ),
  )
  expect(refused).toEqual([422, 422, 422, 422])
  expect((await change({ version: version + 1, quiet_hours: null })).json).toMatchObject({
    quiet_hours: null,
  })
})

test('a mail’s link ends its kind of mail without a session, again and again, and only that kind', async () => {
  const token = signUnsubscription(app.context.unsubscribeKeys, { user_id: owner.id, notice: 'new_leads' })
  const end = async (text: string) =>
    await app.call('POST', `/api/v1/unsubscribe?token=${encodeURIComponent(text)}`)
  expect((await readOf(owner)).notices).toMatchObject({ new_leads: true, payments: true })
  for (let time = 0; time < 2; time += 1)
    expect(await end(token)).toMatchObject({ status: 200, json: { notice: 'new_leads' } })
  expect((await readOf(owner)).notices).toMatchObject({ new_leads: false, payments: true })
  const stranger = signUnsubscription(app.context.unsubscribeKeys, {
    user_id: crypto.randomUUID(),
    notice: 'caps',
  })
  const statuses = await Promise.all(
    [stranger, token.replace('new_leads', 'payments'), 'x', ''].map(async (text) => (await end(text)).status),
  )
  expect(statuses).toEqual([404, 404, 404, 422])
  const byProgram = await fetch(`${app.url}/api/v1/unsubscribe?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(byProgram.status).toBe(200)
})
