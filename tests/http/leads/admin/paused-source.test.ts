import { expect, test } from 'vitest'
import { SOURCE_PAUSED } from '#core/contract/leads/posting-answers.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { newLead } from '../../support/start-app.ts'
import { startWithSource } from '../receive/start-with-source.ts'

const { app, source, post, count } = await startWithSource()

const env = () => {
  const { database, redis, dataDir } = app.context.config
  return {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url ?? '',
    QUEUE_PREFIX: redis.queuePrefix,
    DATA_DIR: dataDir,
    SECRETS_KEY: app.context.config.secretsKey ?? '',
  }
}
const run = (...args: string[]) =>
  runScript({
    script: 'scripts/leadwire.ts',
    args: [...args, '--as', app.admin.email, '--reason', 'It sends the same person again and again'],
    env: env(),
  })
const refusal = async (body: Record<string, unknown>) => {
  const { status, json } = await post(body, {}, source.key)
  return { status, detail: json.detail }
}
const REFUSED = { status: 403, detail: SOURCE_PAUSED }

test('leads of a paused source are refused at once, alone and in batches, and taken again once it is resumed', async () => {
  const first = newLead()
  expect((await post(first, {}, source.key)).status).toBe(201)
  expect(await run('pause', 'source', source.id)).toMatchObject({
    code: 0,
    stdout: `Source ${source.id} is now paused\n`,
  })
  const before = await count('events')
  expect(await refusal(newLead())).toEqual(REFUSED)
  expect(await refusal(first)).toEqual(REFUSED)
  expect(await refusal({ name: 'No one' })).toEqual(REFUSED)
  const batch = await app.call('POST', '/api/v1/leads/batch', {
    token: source.key,
    body: [newLead(), newLead()],
  })
  expect({ status: batch.status, detail: batch.json.detail }).toEqual(REFUSED)
  expect(await count('events')).toBe(before)

  const stuck = await runScript({ script: 'scripts/leadwire.ts', args: ['stuck'], env: env() })
  expect(stuck.stdout).toContain(`sources_paused: 1 (${source.id})`)
  expect(await run('pause', 'source', source.id)).toMatchObject({ code: 0 })
  expect(await run('resume', 'source', source.id)).toMatchObject({ code: 0 })
  expect((await post(newLead(), {}, source.key)).status).toBe(201)
  const rows = await app.context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'actor_id', 'details'])
    .where('action', 'in', ['source_paused', 'source_resumed'])
    .orderBy('id')
    .execute()
  const by = { actor_id: app.admin.id, details: { source_id: source.id } }
  expect(rows).toMatchObject([
    { action: 'source_paused', ...by },
    { action: 'source_resumed', ...by },
  ])
})

test('an administrator pauses and resumes a source: its row says since when, by whom and why, and a repeat keeps the first reason', async () => {
  const change = async (verb: 'pause' | 'resume', body: object) =>
    await app.call('POST', `/api/v1/admin/sources/${source.id}/${verb}`, { token: app.admin.token, body })
  expect((await change('pause', { reason: ' ' })).json.errors).toEqual([
    { path: 'reason', message: 'Say why' },
  ])
  const paused = await change('pause', { reason: 'Made-up people' })
  const pause = {
    paused_at: expect.stringMatching(/Z$/) as string,
    pause_reason: 'Made-up people',
    paused_by_name: app.admin.email,
  }
  expect(paused).toMatchObject({ status: 200, json: { id: source.id, ...pause } })
  expect(await refusal(newLead())).toEqual(REFUSED)
  expect((await change('pause', { reason: 'Another' })).json).toEqual(paused.json)
  const listed = await app.call('GET', '/api/v1/admin/sources', { token: app.admin.token })
  expect(listed.json.data).toContainEqual(expect.objectContaining(pause))
  const none = { paused_at: null, pause_reason: null, paused_by_name: null }
  expect(await change('resume', { reason: 'Corrected' })).toMatchObject({ status: 200, json: none })
  expect((await change('resume', { reason: 'Corrected' })).json).toMatchObject(none)
  expect((await post(newLead(), {}, source.key)).status).toBe(201)
  const log = app.context.db.selectFrom('auth.audit_log').select(['action', 'actor_id', 'details'])
  const rows = await log.where('action', 'like', 'source\\_%d').orderBy('id', 'desc').limit(2).execute()
  const by = { actor_id: app.admin.id }
  expect(rows).toMatchObject([
    { ...by, action: 'source_resumed', details: { source_id: source.id, note: 'Corrected' } },
    { ...by, action: 'source_paused', details: { source_id: source.id, note: 'Made-up people' } },
  ])
})

test('a source that was stopped for good, or does not exist, cannot be paused', async () => {
  const other = await app.newSource()
  await app.call('POST', `/api/v1/admin/sources/${other.id}/stop`, {
    token: app.admin.token,
    body: { reason: 'It sold made-up leads' },
  })
  expect(await run('pause', 'source', other.id)).toMatchObject({
    code: 1,
    stderr: 'This source was stopped for good.\n',
  })
  const paused = await app.call('POST', `/api/v1/admin/sources/${other.id}/pause`, {
    token: app.admin.token,
    body: { reason: 'It sold made-up leads' },
  })
  expect(paused).toMatchObject({ status: 409, json: { code: 'conflict' } })
  expect(await run('pause', 'source', app.admin.id)).toMatchObject({ code: 1, stderr: 'Source not found\n' })
})
