import type { FileLink } from '#core/contract/files/file-link.ts'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import { findEvidence } from '#core/data/market/find-evidence.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { linkFile } from '../storage/link-file.ts'
import { auditChange, type By } from './audit-change.ts'

/** A URL for a file of the client's, or the agent's, own return. @throws AppError not_found */
export async function openOwnEvidence(
  context: ServerContext,
  caller: Principal,
  id: string,
): Promise<FileLink> {
  const file = await findEvidence(context.db, id, { ...caller, role: 'client' })
  if (file === undefined) throw notFound()
  return await linkFile(context, { bucket: EVIDENCE_BUCKET, name: file.name, id })
}

/**
 * A URL for a file of any client's return. The audit log records it first, because the file may show or name a person.
 * @throws AppError not_found
 */
export async function openEvidence(context: ServerContext, by: By, id: string): Promise<FileLink> {
  const file = await findEvidence(context.db, id, undefined)
  if (file === undefined) throw notFound()
  await auditChange(context.db, by, {
    action: 'return_evidence_opened',
    client: file.client_user_id,
    details: { file_id: id, return_id: file.return_id, lead_id: file.lead_id },
  })
  return await linkFile(context, { bucket: EVIDENCE_BUCKET, name: file.name, id })
}

function notFound(): AppError {
  return new AppError('not_found', 'File not found')
}
