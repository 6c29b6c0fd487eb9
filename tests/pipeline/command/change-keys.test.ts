import { expect, test } from 'vitest'
import { givenBuyer } from '#tests/support/given/market.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { openCommands, WHY } from './open-commands.ts'
import { readJson } from './run-leadwire.ts'

const commands = openCommands()
const { audited, run } = commands

test('admin reset-factor removes a factor with its sessions, also for the last owner', async () => {
  const { admin, by, pipeline } = commands
  const client = await givenBuyer(pipeline.db)
  const add = async (user: string) => {
    await pipeline.db
      .insertInto('auth.factors')
      .values({
        user_id: user,
        factor_type: 'totp',
        status: 'verified',
        secret_sealed: 'x',
        friendly_name: 'Phone',
      })
      .execute()
    await pipeline.db
      .insertInto('auth.sessions')
      .values({ user_id: user, aal: 'aal2', amr: '[]', last_active_at: new Date() })
      .execute()
  }
  await add(client)
  await add(admin)
  const own = await run('admin', 'reset-factor', admin, ...by)
  expect(own).toMatchObject({ code: 1, stderr: expect.stringContaining('your own second factor') as string })
  expect(await run('admin', 'reset-factor', client, ...by)).toMatchObject({ code: 0 })
  expect(await audited('second_factor_reset')).toMatchObject({
    actor: 'admin',
    actor_id: admin,
    user_id: client,
  })
  expect(await run('admin', 'reset-factor', admin, '--reason', WHY)).toMatchObject({ code: 0 })
  expect(await audited('second_factor_reset')).toMatchObject({
    actor: 'service',
    user_id: admin,
    user_agent: 'leadwire admin reset-factor',
    details: { note: WHY, factor_types: ['totp'] },
  })
  const left = await pipeline.db
    .selectFrom('auth.sessions')
    .select('id')
    .where('user_id', 'in', [client, admin])
    .execute()
  expect(left).toEqual([])
  expect(await run('admin', 'reset-factor', client, ...by)).toMatchObject({
    code: 1,
    stderr: 'This account has no second factor.\n',
  })
})

test('service-keys make, list and revoke; secrets rotate says what is sealed with which key', async () => {
  const { admin, by, pipeline } = commands
  await givenConfig(pipeline.context, await givenBuyer(pipeline.db), {
    endpoint_url: 'https://crm.example.com',
  })
  const made = await run('service-keys', 'make', '--name', 'Import', '--days', '30', '--json')
  expect(made.code).toBe(0)
  const { id, key } = readJson(made) as { id: string; key: string }
  expect(key.split('.')).toHaveLength(3)
  expect(await audited('service_key_made')).toMatchObject({
    actor: 'service',
    user_agent: 'leadwire service-keys make',
    details: { service_key_id: id, days: 30 },
  })
  const revoked = await run('service-keys', 'revoke', id, ...by)
  expect({ code: revoked.code, said: revoked.stdout.trim() }).toEqual({ code: 0, said: 'Revoked: Import' })
  const { keys } = readJson(await run('service-keys', 'list', '--json')) as { keys: object[] }
  expect(keys).toMatchObject([
    { id, program: 'Import', revoked_at: expect.any(String) as string },
    { is_listed: false, revoked_at: null },
  ])
  expect(await audited('service_key_revoked')).toMatchObject({
    actor_id: admin,
    details: { service_key_id: id, note: WHY },
  })

  const plan = await run('secrets', 'rotate', '--dry-run')
  expect(plan.code).toBe(0)
  expect(plan.stdout).toMatch(/client_webhook_configs\.signing_secret +first +\d+\n/)
})

test('secrets reset counts without a name, and is done in that of an owner with a reason', async () => {
  const { admin, by } = commands
  const nobody = await run('secrets', 'reset', '--confirm')
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('--as E-MAIL') as string })
  expect((await run('secrets', 'reset')).stdout).toContain('Nothing was changed; --confirm does it')
  expect(await audited('secrets_reset')).toBeUndefined()
  expect(await run('secrets', 'reset', '--confirm', ...by)).toMatchObject({ code: 0 })
  expect(await audited('secrets_reset')).toMatchObject({
    actor_id: admin,
    user_agent: 'leadwire secrets reset',
    details: { webhooks: 0, factors: 0, sessions: 0, note: WHY },
  })
})

test('signing-keys rotate gives webhooks new keys, and the old ones also sign for some days', async () => {
  const { admin, by } = commands
  const first = await run('signing-keys', 'rotate', ...by)
  expect({ code: first.code, said: first.stdout.trim() }).toEqual({
    code: 0,
    said: expect.stringMatching(/^\S{36} {2}signs$/) as unknown,
  })
  const { keys } = readJson(await run('signing-keys', 'rotate', '--days', '7', ...by, '--json')) as {
    keys: Array<{ ends_at: string | null }>
  }
  expect(keys).toHaveLength(2)
  expect(keys[0]?.ends_at).toBeNull()
  const days = (Date.parse(keys[1]?.ends_at ?? '') - Date.now()) / (24 * 3600 * 1000)
  expect(days).toBeCloseTo(7, 1)
  expect((await run('signing-keys', 'rotate', '--days', '400', ...by)).code).not.toBe(0)
  expect(await audited('signing_keys_rotated')).toMatchObject({
    actor_id: admin,
    details: { days: 7, note: WHY },
  })
})
