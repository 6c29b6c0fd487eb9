import type { TestLead } from '#core/contract/leads/lead-ingest.ts'
import { TEST_LEAD } from '#core/contract/leads/lead.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { findLead, type OwnLead } from '#core/data/leads/leads.ts'
import { insertLeads } from '#core/data/leads/receive-leads.ts'
import { setMember } from '#core/data/market/sale/given-leads.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import { keyOwnerOf } from '../market/own-member.ts'
import { describeTooMany } from '../http/rate-limits.ts'

/**
 * The lead of 'Run Assignment Test' (docs/product.md §7). Whatever the browser sends, it is a test, belongs
 * to the caller and costs nothing, so it can reach nobody else.
 * @throws AppError rate_limited, validation_failed, idempotency_key_reused
 */
export async function createTestLead(
  context: ServerContext,
  caller: Principal,
  given: TestLead,
  idempotencyKey: string | undefined,
): Promise<OwnLead> {
  const reading = normaliseLead(
    { ...withDefaults(given), lead_type: TEST_LEAD.lead_type },
    { custom: {}, utm: {} },
    new Date().toISOString().slice(0, 10),
  )
  if (!reading.ok) throw invalid(reading.errors)
  const row = {
    ...reading.lead,
    ...TEST_LEAD,
    is_test: true,
    user_id: caller.user_id,
    source_id: null,
    idempotency_key: null,
    ingest_fingerprint: null,
  }
  let committed: readonly EventToEnqueue[] = []
  const asked = { user_id: keyOwnerOf(caller), operation: 'test_lead.create', key: idempotencyKey }
  const { id } = await createOnce(context, { ...asked, content: JSON.stringify(row) }, async (trx, id) => {
    // A repeat neither counts nor is refused: of several concurrent requests with one key only one gets here.
    await refuseTooOften(context, caller)
    committed = (await insertLeads(trx, [{ ...row, id }])).get(id)?.events ?? []
    if (caller.member_user_id !== undefined) await setMember(trx, [id], caller.member_user_id)
  })
  context.announce.events(committed)
  const lead = await findLead(context.db, caller, id)
  if (lead === undefined) throw new Error('a test lead vanished after its insert')
  return lead
}

/** @throws AppError rate_limited */
async function refuseTooOften(
  { webhooks: { testRates } }: ServerContext,
  { user_id: user }: Principal,
): Promise<void> {
  const spent = await testRates.spend('test_lead', user)
  if (spent.ok) return
  const { retry_after_seconds: retryAfterSeconds } = spent
  throw new AppError('rate_limited', describeTooMany('test leads', retryAfterSeconds), { retryAfterSeconds })
}

/** Fictional values for what the body leaves out (555-01xx and example.com are reserved for that). */
function withDefaults(given: TestLead): TestLead {
  const isNamed = given.name !== undefined || given.first_name !== undefined || given.last_name !== undefined
  const isReachable = given.email !== undefined || given.phone !== undefined
  return {
    ...(isNamed ? {} : { name: 'Test Lead' }),
    ...(isReachable ? {} : { email: 'test.lead@example.com', phone: '+12025550143' }),
    ...given,
    city: given.city ?? SAMPLE_LEAD.city ?? undefined,
  }
}

function invalid(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', 'The test lead has values that cannot be stored.', { errors })
}
