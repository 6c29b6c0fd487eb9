import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The sealed parts of a configuration. */
export interface SealedConfig {
  id: string
  signing_secret: string
  previous_signing_secret: string | null
  authentication: string | null
  /** JSON text */
  custom_headers: string
  client_key: string | null
}

/** The values that replace the parts of a configuration that no key opens; a part that is left out stays. */
export interface RestoredConfig {
  signing_secret?: string
  previous_signing_secret?: null
  previous_secret_expires_at?: null
  authentication?: null
  custom_headers?: string
  client_key?: null
  client_certificate?: null
}

/** Locks the configurations after this one, in the order of their ids. */
export async function lockSealedConfigs(
  trx: Db,
  after: string | null,
  limit: number,
): Promise<SealedConfig[]> {
  return await trx
    .selectFrom('client_webhook_configs')
    .select(['id', 'signing_secret', 'previous_signing_secret', 'authentication', 'client_key'])
    .select(sql<string>`custom_headers::text`.as('custom_headers'))
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Replaces lost parts of a configuration. If it is on, it is switched off with the reason, so that nothing is sent
 * without its credentials: deliveries wait, and a worker mails its owner.
 */
export async function restoreConfig(trx: Db, id: string, restored: RestoredConfig, reason: string | null) {
  await trx
    .updateTable('client_webhook_configs')
    .set({ ...restored, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  if (reason !== null)
    await sql`
      update client_webhook_configs set is_active = false, disabled_reason = ${reason}, disabled_at = now()
      where id = ${id} and is_active`.execute(trx)
}

export type SealedKind = 'mail' | 'factor' | 'flow' | 'signing_key'

/** Sealed mails that still wait, sealed factors and flows, and secrets of webhooks' keys. */
export async function listSealedRows(
  db: Db,
): Promise<Array<{ of: SealedKind; id: string; user_id: string | null; sealed: string }>> {
  const { rows } = await sql<{
    of: SealedKind
    id: string
    user_id: string | null
    sealed: string
  }>`
    select 'mail' as of, id::text as id, recipient_user_id::text as user_id, sealed_data as sealed from mails
    where sealed_data is not null
    union all
    select 'factor', id::text, user_id::text, secret_sealed from auth.factors where secret_sealed is not null
    union all
    select 'flow', id::text, user_id::text, sealed from auth.flows,
      lateral (values (provider_verifier_sealed), (linking_person_sealed), (provider_tokens_sealed)) as v (sealed)
    where sealed is not null
    union all
    select 'signing_key', id::text, null, seed_sealed from webhook_signing_keys`.execute(db)
  return rows
}

/** Gives up mails whose data cannot be opened: their codes and links are requested again by the people. */
export async function giveUpMails(trx: Db, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ sealed_data: null, next_try_at: null, last_failure: 'its data were sealed with a lost key' })
    .where('id', 'in', ids)
    .execute()
}

/**
 * Removes second factors that no code can match any more, with the recovery codes that then stand for none. Their
 * people's sessions end, as whenever a second factor is reset: some were opened with it.
 * @returns the sessions that ended
 */
export async function removeLostFactors(
  trx: Db,
  factors: ReadonlyArray<{ id: string; user_id: string }>,
): Promise<number> {
  const people = [...new Set(factors.map(({ user_id }) => user_id))]
  await trx
    .deleteFrom('auth.factors')
    .where(
      'id',
      'in',
      factors.map(({ id }) => id),
    )
    .execute()
  await sql`
    delete from auth.recovery_codes r where r.user_id = any(${people}::uuid[]) and not exists (
      select from auth.factors f where f.user_id = r.user_id and f.status = 'verified')`.execute(trx)
  await sql`
    insert into auth.audit_log (action, user_id, actor, details)
    select 'second_factor_reset', person, 'service', '{"note": "its secret was sealed with a lost key"}'
    from unnest(${people}::uuid[]) as person`.execute(trx)
  const ended = await trx.deleteFrom('auth.sessions').where('user_id', 'in', people).executeTakeFirst()
  return Number(ended.numDeletedRows)
}

export async function deleteFlows(trx: Db, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('auth.flows').where('id', 'in', ids).execute()
}

/** Forgets keys that are gone for good, and proves the newest from now on; in one transaction with the rest. */
export async function forgetKeys(trx: Db, present: readonly string[], proof: string): Promise<string[]> {
  const gone = await trx.deleteFrom('secrets_keys').where('id', 'not in', present).returning('id').execute()
  await trx.updateTable('secrets_key_check').set({ sealed: proof }).execute()
  return gone.map(({ id }) => id)
}

/** Entries of the suppression list, which match nobody once the key of their hashes is gone. */
export async function countSuppressions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from suppressions) + (select count(*) from client_suppressions))::integer as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
