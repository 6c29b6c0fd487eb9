import { sql } from 'kysely'
import { EVIDENCE_BUCKET, type Evidence } from '#core/contract/market/return-evidence.ts'
import type { Db } from '../database.ts'
import type { Viewer } from '../leads/leads.ts'
import { isOfViewer } from './lead-returns.ts'
import { FILE_NAME } from './return-evidence.ts'

/** A file of a return, and what the audit log says of it. */
export type SentEvidence = Evidence & {
  /** its path in the bucket */
  name: string
  return_id: string
  lead_id: string
  client_user_id: string
}

/**
 * A file that was sent with a return; undefined if there is none.
 * @param viewer who looks: it is then one of the client's or agent's own
 */
export async function findEvidence(
  db: Db,
  id: string,
  viewer: Viewer | undefined,
): Promise<SentEvidence | undefined> {
  const isTheirs =
    viewer === undefined ? sql`true` : sql`r.client_user_id = ${viewer.user_id} and ${isOfViewer(viewer)}`
  const { rows } = await sql<SentEvidence>`
    select f.id, ${FILE_NAME} as file_name, f.name, f.content_type, f.size::float8 as size, f.return_id, r.lead_id,
      r.client_user_id
    from stored_files f join lead_returns r on r.id = f.return_id join lead_assignments a on a.id = r.assignment_id
    where f.id = ${id} and f.bucket_id = ${EVIDENCE_BUCKET} and ${isTheirs}`.execute(db)
  return rows[0]
}
