import { sql, type Kysely } from 'kysely'
import { eraseFilesOfLeads } from '../files/erase-files.ts'
import { emptyBeside, emptyLeads, ERASED_LEAD_COLUMNS } from '../leads/erase-lead.ts'
import type { Database } from '../schema/tables.ts'
import type { OldestKept, Step } from './step.ts'

/** Leads of one transaction. It takes tens of milliseconds, so that nobody waits for it. */
const BATCH = 200

/** An erasure takes the state too. By age it stays, because figures are counted by it and it names nobody. */
const EMPTIED = ERASED_LEAD_COLUMNS.filter((column) => column !== 'state')

/**
 * SQL: somebody had the lead `l`, or has it as their own. Otherwise nobody bought it, or it was a duplicate or refused.
 */
const WAS_HELD = sql`(l.assigned_to is not null or l.user_id is not null or exists (
  select from lead_assignments a where a.lead_id = l.id and a.state <> 'active'))`

/** SQL: an open request to return the lead `l` is still to be decided. */
export const isDisputed = sql`exists (select from lead_returns r where r.lead_id = l.id and r.status = 'pending')`

/** SQL: whether a lead `l` belongs to a kind. */
export function isOfKind(kind: 'sold_leads' | 'unsold_leads') {
  return kind === 'sold_leads' ? WAS_HELD : sql`not ${WAS_HELD}`
}

/**
 * Empties leads that came before a moment, as an erasure does, without its event and its entry in the suppression list.
 * Status, state, price, ids and times stay, so no figure changes. A lead with an open return waits for the next walk. So
 * does one whose id is older than it is: servers make ids, and a server's clock may be wrong.
 */
export async function emptyOldLeads(
  db: Kysely<Database>,
  kind: 'sold_leads' | 'unsold_leads',
  after: string,
  oldest: OldestKept,
): Promise<Step> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; is_free: boolean | null }>`
      with seen as materialized (
        select l.id, l.redacted_at is null and ${isOfKind(kind)} as is_due,
          l.created_at >= ${oldest.moment} or ${isDisputed} as is_kept from leads l
        where l.id > ${after} and l.id < ${oldest.id} order by l.id limit ${BATCH}
      ), free as materialized (
        select id from leads where id = any(array(select id from seen where is_due and not is_kept))
        order by id for no key update skip locked
      )
      select id, case when is_due then id in (select id from free) end as is_free from seen order by id`.execute(
      trx,
    )
    const ids = rows.filter((row) => row.is_free === true).map(({ id }) => id)
    if (ids.length > 0) {
      await emptyLeads(trx, ids, { columns: EMPTIED })
      await emptyBeside(trx, ids)
      await eraseFilesOfLeads(trx, ids)
    }
    return {
      removed: ids.length,
      last: rows.at(-1)?.id ?? null,
      waits: rows.find((row) => row.is_free === false)?.id ?? null,
    }
  })
}
