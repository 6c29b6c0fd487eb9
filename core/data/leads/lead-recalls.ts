import { sql } from 'kysely'
import type { LeadRecall, RecallPreview } from '#core/contract/leads/lead-recall.ts'
import type { Db } from '../database.ts'
import { restOfPrice } from '../market/late/rest-of-price.ts'

/** The leads that a recall takes back. */
export interface RecallRange {
  source: string
  from: Date
  to: Date
}

/** SQL: the sold leads `l` of a source in a time, with the assignment `a` by which a client has each. */
const recallable = ({ source, from, to }: RecallRange) => sql`
  from leads l join lead_assignments a on a.lead_id = l.id and a.state = 'active'
  where l.source_id = ${source} and l.created_at >= ${from} and l.created_at < ${to} and l.status = 'assigned'
    and l.user_id is null and not l.is_test and a.order_id is not null`

export async function previewRecall(db: Db, range: RecallRange): Promise<RecallPreview> {
  const { rows } = await sql<RecallPreview>`
    select count(*)::int as leads, coalesce(sum(${restOfPrice('a')}), 0)::numeric(14, 2)::text as amount,
      count(distinct a.client_user_id)::int as clients ${recallable(range)}`.execute(db)
  return rows[0] ?? { leads: 0, amount: '0.00', clients: 0 }
}

/**
 * Begins a recall: notes the leads that are sold now.
 * @returns its id; undefined if a recall of this source is under way
 */
export async function insertRecall(
  trx: Db,
  range: RecallRange,
  { note, by }: { note: string; by: string },
): Promise<string | undefined> {
  const begun = await sql<{ id: string }>`
    insert into lead_recalls (source_id, from_at, to_at, note, created_by)
    values (${range.source}, ${range.from}, ${range.to}, ${note}, ${by})
    on conflict (source_id) where ended_at is null do nothing returning id`.execute(trx)
  const id = begun.rows[0]?.id
  if (id === undefined) return undefined
  await sql`
    insert into lead_recall_leads (recall_id, lead_id, assignment_id, client_user_id, price)
    select ${id}, l.id, a.id, a.client_user_id, ${restOfPrice('a')} ${recallable(range)}`.execute(trx)
  return id
}

/** The newest recalls, or one of them. */
export async function listRecalls(db: Db, which: { limit: number; id?: string }): Promise<LeadRecall[]> {
  const { rows } = await sql<
    Omit<LeadRecall, 'from' | 'to' | 'created_at' | 'ended_at'> & {
      from: Date
      to: Date
      created_at: Date
      ended_at: Date | null
    }
  >`
    select r.id, jsonb_build_object('id', s.id, 'name', s.name) as source, r.from_at as from, r.to_at as to, r.note as reason,
      r.created_at, r.ended_at, c.*
    from lead_recalls r join sources s on s.id = r.source_id
    cross join lateral (
      select count(*)::int as leads, count(*) filter (where outcome = 'returned')::int as returned,
        count(*) filter (where outcome = 'skipped')::int as skipped, count(*) filter (where outcome is null)::int as waiting,
        coalesce(sum(price) filter (where outcome = 'returned'), 0)::numeric(14, 2)::text as credited
      from lead_recall_leads l where l.recall_id = r.id
    ) c
    where ${which.id === undefined ? sql`true` : sql`r.id = ${which.id}`}
    order by r.id desc limit ${which.limit}`.execute(db)
  return rows.map(({ from, to, created_at, ended_at, ...row }) => ({
    ...row,
    from: from.toISOString(),
    to: to.toISOString(),
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }))
}

/** A recall under way. */
export interface OpenRecall {
  id: string
  created_by: string
}

export async function listOpenRecalls(db: Db): Promise<OpenRecall[]> {
  return await db
    .selectFrom('lead_recalls')
    .select(['id', 'created_by'])
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** A lead that is to be recalled. */
export interface RecalledLead {
  lead_id: string
  assignment_id: string
  client_user_id: string
}

/** Takes the next lead of a recall, which no other worker gets until the transaction ends. */
export async function takeRecalledLead(trx: Db, recallId: string): Promise<RecalledLead | undefined> {
  const { rows } = await sql<RecalledLead>`
    select lead_id, assignment_id, client_user_id from lead_recall_leads
    where recall_id = ${recallId} and outcome is null order by lead_id limit 1 for update skip locked`.execute(
    trx,
  )
  return rows[0]
}

/** Notes what became of a lead of a recall, unless that is noted. */
export async function noteRecalled(
  db: Db,
  recallId: string,
  leadId: string,
  taken: { credited: string } | string,
): Promise<void> {
  // A late credit may have been written since the lead was noted.
  const [outcome, price] = typeof taken === 'string' ? ['skipped', null] : ['returned', taken.credited]
  await sql`
    update lead_recall_leads set outcome = ${outcome}, price = coalesce(${price}::numeric, price)
    where recall_id = ${recallId} and lead_id = ${leadId} and outcome is null`.execute(db)
}

/**
 * Ends a recall of which no lead waits.
 * @returns what each client got back; undefined if a lead waits, or it has ended before
 */
export async function endRecall(
  trx: Db,
  recallId: string,
): Promise<{ client_user_id: string; leads: number; amount: string }[] | undefined> {
  const ended = await sql`
    update lead_recalls set ended_at = now() where id = ${recallId} and ended_at is null
      and not exists (select from lead_recall_leads where recall_id = ${recallId} and outcome is null) returning id`.execute(
    trx,
  )
  if (ended.rows.length === 0) return undefined
  const { rows } = await sql<{ client_user_id: string; leads: number; amount: string }>`
    select client_user_id, count(*)::int as leads, sum(price)::text as amount from lead_recall_leads
    where recall_id = ${recallId} and outcome = 'returned' group by client_user_id order by client_user_id`.execute(
    trx,
  )
  return rows
}
