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
import { createOnce, listIds } from '../http/create-once.ts'
import { eachRow } from '../http/errors/name-row.ts'
import { keyOwnerOf } from '../market/own-member.ts'
import { requireAllowed } from '../http/rate-limits.ts'

/** Creates one test lead like {@link createTestLeads}. @throws AppError */
export async function createTestLead(
  context: ServerContext,
  caller: Principal,
  given: TestLead,
  idempotencyKey: string | undefined,
): Promise<OwnLead> {
  const [id = ''] = await createTestLeads(context, caller, [given], idempotencyKey)
  const lead = await findLead(context.db, caller, id)
  if (lead === undefined) throw new Error('a test lead vanished after its insert')
  return lead
}

/**
 * Creates leads as 'Run Assignment Test' does (docs/product.md §7), all of them or none. Whatever the browser sends,
 * each is a test, belongs to the caller and costs nothing, so it can reach nobody else.
 * @returns their ids, in their order
 * @throws AppError rate_limited, validation_failed, idempotency_key_reused
 */
export async function createTestLeads(
  context: ServerContext,
  caller: Principal,
  given: readonly TestLead[],
  idempotencyKey: string | undefined,
): Promise<string[]> {
  const rows = eachRow(given, (lead) => readTestLead(caller, lead))
  const content = JSON.stringify(rows.length === 1 ? rows[0] : rows)
  let committed: readonly EventToEnqueue[] = []
  const asked = { user_id: keyOwnerOf(caller), operation: 'test_lead.create', key: idempotencyKey, content }
  const { id } = await createOnce(context, asked, async (trx, first) => {
    // A repeat neither counts nor is refused: of several concurrent requests with one key only one gets here.
    await refuseTooOften(context, caller, rows.length)
    const ids = listIds(first, rows.length)
    const stored = await insertLeads(
      trx,
      rows.map((row, index) => ({ ...row, id: ids[index] ?? '' })),
    )
    committed = [...stored.values()].flatMap(({ events }) => events)
    if (caller.member_user_id !== undefined) await setMember(trx, ids, caller.member_user_id)
  })
  context.announce.events(committed)
  return listIds(id, rows.length)
}

/** @throws AppError validation_failed */
function readTestLead({ user_id }: Principal, given: TestLead) {
  const reading = normaliseLead(
    { ...withDefaults(given), lead_type: TEST_LEAD.lead_type },
    { custom: {}, utm: {} },
    new Date().toISOString().slice(0, 10),
  )
  if (!reading.ok) throw invalid(reading.errors)
  const none = { source_id: null, idempotency_key: null, ingest_fingerprint: null }
  return { ...reading.lead, ...TEST_LEAD, is_test: true, user_id, ...none }
}

/** @throws AppError rate_limited; validation_failed for more than there may ever be at once, which spends nothing */
async function refuseTooOften(
  { config, webhooks: { testRates } }: ServerContext,
  { user_id: user }: Principal,
  count: number,
): Promise<void> {
  const most = config.webhooks.rates.test_lead
  if (count > most)
    throw new AppError(
      'validation_failed',
      `There can be ${most} test leads in a minute. Send fewer at once.`,
    )
  requireAllowed(await testRates.spend('test_lead', user, count), 'test leads')
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
