import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '#core/config/config.ts'
import { queueAccountMail } from '#core/data/outbox/mails.ts'
import { SEALED_COLUMNS, type SealedColumn } from '#core/data/secrets/sealed-columns.ts'
import { openDatabase } from '#core/data/database.ts'
import { addSuppressions, findSuppressions } from '#core/data/market/suppressions.ts'
import { findSuppressed } from '#core/data/market/sale/offered-leads.ts'
import { takeSigningKeys } from '#core/secrets/signing-keys.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { takeKeyring } from '#core/secrets/secrets-key.ts'
import { hashContact } from '#core/secrets/suppression-hash.ts'
import { outcomeExpiry, readOutcome, signOutcome } from '#core/secrets/outcome-token.ts'
import { readUnsubscription, signUnsubscription } from '#core/secrets/unsubscribe-token.ts'
import { LOST_CREDENTIALS, resetLostSecrets } from '#core/use-cases/secrets/reset-lost-secrets.ts'
import { planRotation, rotateSecrets } from '#core/use-cases/secrets/rotate-secrets.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let db: ReturnType<typeof openDatabase>['db']
let close: () => Promise<void>
beforeAll(async () => {
  database = await createTestDatabase()
  const options = { url: database.url, poolSize: 4, name: 'leadwire-test' }
  ;({ db, close } = openDatabase(options, () => undefined))
})
afterAll(async () => {
  await close()
  await database.drop()
})

describe('a rotation of SECRETS_KEY', () => {
  const [oldKey, newKey] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string]
  const take = (secretsKey: string) => takeKeyring({ secretsKey, dataDir: '/nonexistent' }, db)
  const everything = async (): Promise<Array<{ column: string; value: string }>> => {
    const found: Array<{ column: string; value: string }> = []
    for (const [column, place] of Object.entries(SEALED_COLUMNS)) {
      const { rows } = await sql<{ value: string }>`
        select ${sql.ref(place.column)}::text as value from ${sql.table(place.table)}
        where ${sql.ref(place.column)} is not null`.execute(db)
      for (const { value } of rows)
        for (const one of value.startsWith('{') ? Object.values(JSON.parse(value) as object) : [value])
          found.push({ column, value: one as string })
    }
    return found
  }
  const contact = ['phone', '+12025550143'] as const
  let user: string
  let unsubscribe: string
  let outcome: string
  const ended = new Date(0)

  beforeAll(async () => {
    const { secrets, keysFor } = await take(oldKey)
    user = await givenClient(db)
    for (let n = 0; n < 150; n += 1) {
      const { id } = await givenConfig({ db, secrets }, user, {
        endpoint_url: 'https://crm.example.com/leads',
        custom_headers: { 'X-Api-Key': `key-${n}`, Accept: 'text/plain' },
      })
      const seal = (column: SealedColumn) => secrets.seal(column, `${column} ${n}`)
      await db
        .updateTable('client_webhook_configs')
        .set({
          previous_signing_secret: seal('client_webhook_configs.previous_signing_secret'),
          authentication: seal('client_webhook_configs.authentication'),
          client_certificate: 'PEM',
          client_key: seal('client_webhook_configs.client_key'),
        })
        .where('id', '=', id)
        .execute()
    }
    await queueAccountMail(db, {
      recipient_user_id: user,
      address: 'ada@example.com',
      template: 'account_code',
      sealed: secrets.seal('mails.sealed_data', '{}'),
    })
    await db
      .insertInto('auth.factors')
      .values({
        user_id: user,
        friendly_name: 'Phone',
        factor_type: 'totp',
        secret_sealed: secrets.seal('auth.factors.secret_sealed', 'TOTP'),
      })
      .execute()
    await db
      .insertInto('auth.flows')
      .values({
        method: 'oauth',
        provider_verifier_sealed: secrets.seal('auth.flows.provider_verifier_sealed', 'verifier'),
        linking_person_sealed: secrets.seal('auth.flows.linking_person_sealed', '{}'),
        provider_tokens_sealed: secrets.seal('auth.flows.provider_tokens_sealed', '{}'),
      })
      .execute()
    await takeSigningKeys(db, secrets)
    const entry = { reason: 'do_not_contact', note: null, created_by: user }
    const [kind] = contact
    await addSuppressions(db, [{ kind, hashes: hashContact(keysFor('suppressions'), ...contact) }], entry)
    unsubscribe = signUnsubscription(keysFor('unsubscribe'), { user_id: user, notice: 'caps' })
    const of = { lead_id: user, client_user_id: user, webhook_config_id: user }
    outcome = signOutcome(keysFor('outcomes'), { ...of, expires_at: outcomeExpiry(ended) })
  })

  test('is planned without a change, by column and key', async () => {
    const before = await everything()
    const keyring = await take(`${newKey},${oldKey}`)
    const plan = await planRotation({ db, keyring })
    expect(plan.counts).toContainEqual({
      column: 'client_webhook_configs.custom_headers',
      key: null,
      count: 300,
    })
    expect(plan).toMatchObject({ is_done: false, resealed: 0, unreadable: [] })
    expect(plan.keys.map(({ needed_because }) => needed_because)).toEqual(['new values are sealed with it'])
    expect(await everything()).toEqual(before)
    // Every column has a value, so none escapes the tests below. The keys themselves come with the first rotation.
    const filled = new Set(before.map(({ column }) => column))
    expect([...filled, 'secrets_keys.kept'].toSorted()).toEqual(Object.keys(SEALED_COLUMNS).toSorted())
  })

  test('waits for nobody, loses no change made meanwhile, and ends with every value under the newest key', async () => {
    const keyring = await take(`${newKey},${oldKey}`)
    const others = await take(`${newKey},${oldKey}`)
    const [locked, changed] = (
      await db.selectFrom('client_webhook_configs').select('id').orderBy('id').execute()
    ).map(({ id }) => id) as [string, string]
    const isStillOld = async (): Promise<number> =>
      (await planRotation({ db, keyring: others })).counts.reduce(
        (n, { key, count }) => n + (key === null ? count : 0),
        0,
      )
    let rotating: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('client_webhook_configs')
        .set({ webhook_name: 'Held' })
        .where('id', '=', locked)
        .execute()
      rotating = rotateSecrets({ db, keyring }, { settleMs: 0 })
      // The locked row has six values: two headers, two signing secrets, authentication and key.
      await waitUntil(async () => (await isStillOld()) === 6, {
        what: 'all other values under the newest key',
      })
      await expect(take(newKey)).rejects.toThrow(
        `SECRETS_KEY: lacks the key ${createKeyring(oldKey).keys[0]?.id}`,
      )
      // A process that has not heard of the rotation yet still seals with the older key.
      const late = createKeyring(oldKey).secrets.seal('client_webhook_configs.signing_secret', 'whsec_late')
      await db
        .updateTable('client_webhook_configs')
        .set({ signing_secret: late })
        .where('id', '=', changed)
        .execute()
    })
    expect(await rotating).toMatchObject({ is_done: true, unreadable: [] })

    const alone = await take(newKey)
    const [id] = alone.keys.map((key) => key.id)
    for (const { value } of await everything()) {
      expect(value.startsWith(`v2.${id}.`)).toBe(true)
      alone.secrets.open(value)
    }
    const { signing_secret } = await db
      .selectFrom('client_webhook_configs')
      .select('signing_secret')
      .where('id', '=', changed)
      .executeTakeFirstOrThrow()
    expect(alone.secrets.open(signing_secret)).toBe('whsec_late')
    expect(alone.secrets.seal('mails.sealed_data', '')).toMatch(`v2.${id}.`)
  })

  test('is over at once when it is repeated', async () => {
    const keyring = await take(newKey)
    const again = await rotateSecrets({ db, keyring }, { settleMs: 0 })
    expect(again).toMatchObject({ is_done: true, resealed: 0 })
    expect(again.keys.map(({ needed_because }) => needed_because)).toEqual([
      'new values are sealed with it',
      null,
    ])
  })

  test('keeps suppression entries and links in mails valid without the older key', async () => {
    const { keysFor } = await take(newKey)
    const [kind] = contact
    const hashes = hashContact(keysFor('suppressions'), ...contact)
    expect(hashes).toHaveLength(2)
    expect(await findSuppressions(db, { kind, hashes })).toHaveLength(1)
    const entry = { reason: 'complaint', note: null, created_by: user }
    expect(await addSuppressions(db, [{ kind, hashes }], entry)).toBe(0)
    const phones = hashes.map((hash) => `\\x${hash.toString('hex')}`)
    expect(await findSuppressed(db, [{ id: user, phones, emails: [] }])).toEqual([
      { id: user, is_for_all: true, clients: [] },
    ])
    expect(readUnsubscription(keysFor('unsubscribe'), unsubscribe)).toEqual({ user_id: user, notice: 'caps' })
    expect(readOutcome(keysFor('outcomes'), outcome, ended)).toMatchObject({ lead_id: user })
    expect(readOutcome(keysFor('outcomes'), outcome, outcomeExpiry(ended))).toBeUndefined()
  })

  test('keeps an old process from starting, and a process with a stranger’s key', async () => {
    for (const wrong of [oldKey, randomBytes(32).toString('base64')])
      await expect(take(wrong)).rejects.toThrow(ConfigError)
  })

  test('names values that no key opens, and the key stays needed', async () => {
    const keyring = await take(`${newKey},${oldKey}`)
    await sql`
      update mails set sealed_data = ${createKeyring(oldKey).secrets.seal('mails.sealed_data', '{}').slice(0, -8)}`.execute(
      db,
    )
    const done = await rotateSecrets({ db, keyring }, { settleMs: 0 })
    expect(done).toMatchObject({ is_done: false, unreadable: [{ column: 'mails.sealed_data', count: 1 }] })
    expect(done.keys.map(({ needed_because }) => needed_because)).toContain('1 values are sealed with it')
  })
})

describe('a lost SECRETS_KEY', () => {
  const found = randomBytes(32).toString('base64')

  test('costs what it sealed: one command replaces that, and processes start again', async () => {
    const take = () => takeKeyring({ secretsKey: found, dataDir: '/nonexistent' }, db)
    await expect(take()).rejects.toThrow('lacks the key')
    const keyring = createKeyring(found)
    const { user_id } = await db.selectFrom('auth.factors').select('user_id').executeTakeFirstOrThrow()
    const { id: session } = await db
      .insertInto('auth.sessions')
      .values({ user_id, aal: 'aal2', amr: '[]' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const counts = { webhooks: 150, mails: 1, factors: 1, sessions: 1, sign_ins: 1, suppressions: 1 }
    expect(await resetLostSecrets({ db, keyring }, { isTried: true })).toEqual(counts)
    await expect(take()).rejects.toThrow('lacks the key')

    const recorded: unknown[] = []
    const record = async (_trx: unknown, lost: unknown): Promise<void> => void recorded.push(lost)
    expect(await resetLostSecrets({ db, keyring }, { isTried: false, record })).toEqual(counts)
    expect(recorded).toEqual([counts])
    expect(await db.selectFrom('auth.sessions').select('id').where('id', '=', session).execute()).toEqual([])
    const { secrets } = await take()
    const configs = await db.selectFrom('client_webhook_configs').selectAll().execute()
    for (const config of configs) {
      expect(secrets.open(config.signing_secret)).toMatch(/^whsec_/)
      expect(config).toMatchObject({
        is_active: false,
        disabled_reason: LOST_CREDENTIALS,
        previous_signing_secret: null,
        authentication: null,
        client_key: null,
        custom_headers: {},
      })
    }
    const { rows: mails } = await sql<{ template: string; waits: boolean }>`
      select template, next_try_at is not null as waits from mails order by template`.execute(db)
    expect(mails).toEqual([
      { template: 'account_code', waits: false },
      { template: 'second_factor_reset', waits: true },
    ])
    expect(await resetLostSecrets({ db, keyring }, { isTried: false })).toEqual({
      webhooks: 0,
      mails: 0,
      factors: 0,
      sessions: 0,
      sign_ins: 0,
      suppressions: 0,
    })
    expect(await rotateSecrets({ db, keyring: await take() }, { settleMs: 0 })).toMatchObject({
      is_done: true,
    })
  })
})
