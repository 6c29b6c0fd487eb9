import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Answer } from '../../lab/receiver/give-answer.ts'
import type { SourceKey } from '../send-leads.ts'

/** A buying client, and its order's setting for leads that could not be delivered. */
export interface MarketClient {
  id: string
  whenUndelivered: 'keep' | 'return' | 'reoffer'
}

const FUNDS = '1000000.00'

/** The answer of a CRM that refuses a lead, and the rule that recognises it. */
export const REFUSAL: Answer = { status: 200, body: 'No, thank you' }
const SUCCESS_RULE = { rejected: { contains: 'no, thank you' } }

/** A source that names no client; its leads are sold. It may be made before the market is opened. */
export async function addMarketSource(db: Kysely<Database>, createdBy: string): Promise<SourceKey> {
  const key = `${SOURCE_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  await insertSource(db, {
    name: 'The market',
    owner_user_id: null,
    auto_assign: true,
    api_key_hash: createHash('sha256').update(key).digest(),
    api_key_prefix: key.slice(0, 10),
    created_by: createdBy,
  })
  return { key, endpoint: 0, isOfManyPeople: true }
}

/**
 * Approves clients, and gives each of them funds, an order for all leads, and webhooks that recognise a
 * {@link REFUSAL}.
 */
export async function openMarket(db: Kysely<Database>, clients: readonly MarketClient[]): Promise<void> {
  for (const { id, whenUndelivered } of clients) {
    await sql`update client_accounts set status = 'active' where user_id = ${id}`.execute(db)
    await sql`
      insert into balance_ledger (client_user_id, entry_type, amount, reference_id)
      values (${id}, 'top_up', ${FUNDS}, gen_random_uuid()::text)`.execute(db)
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone, when_undelivered)
      values (${id}, 'All of it', 'final_expense', 'UTC', ${whenUndelivered})`.execute(db)
    await sql`
      update client_webhook_configs set success_rule = ${JSON.stringify(SUCCESS_RULE)}::jsonb, updated_at = now()
      where client_user_id = ${id}`.execute(db)
  }
}
