import type { LeadImport, NewImport } from '#core/contract/imports/lead-import.ts'
import { appendPart } from '#core/data/imports/import-parts.ts'
import { cancelImport, insertImport } from '#core/data/imports/lead-imports.ts'
import { isSourceLive } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { auditChange, type By } from '../market/audit-change.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import { requireImport, showImport } from './show-import.ts'

const MIB = 1024 * 1024

/** @throws AppError validation_failed for a stopped source, and for a file that is too large */
export async function beginImport(
  context: ServerContext,
  { user_id }: Principal,
  { wanted: given, idempotencyKey }: { wanted: NewImport; idempotencyKey: string | undefined },
): Promise<LeadImport> {
  const { db, config } = context
  const { maxBytes } = config.imports
  const errors = [
    ...((await isSourceLive(db, { source_id: given.source_id }))
      ? []
      : [{ path: 'source_id', message: 'There is no such source, or it was revoked' }]),
    ...(given.size <= maxBytes
      ? []
      : [{ path: 'size', message: `The file is too large (at most ${describeSize(maxBytes)})` }]),
  ]
  if (errors.length > 0) throw new AppError('validation_failed', 'The import cannot begin.', { errors })
  const { id } = await createOnce(
    context,
    { user_id, operation: 'import.begin', key: idempotencyKey, content: JSON.stringify(given) },
    async (trx, newId) => {
      await insertImport(trx, { ...given, id: newId, created_by: user_id })
    },
  )
  return await showImport(db, id)
}

function describeSize(bytes: number): string {
  return bytes < MIB ? `${bytes.toLocaleString('en-US')} bytes` : `${Math.floor(bytes / MIB)} MB`
}

/** @throws AppError not_found, validation_failed, conflict */
export async function takePart(
  { db }: ServerContext,
  id: string,
  at: number,
  bytes: Buffer,
): Promise<LeadImport> {
  if (bytes.length === 0) {
    const errors = [{ path: '', message: 'Send the next bytes of the file' }]
    throw new AppError('validation_failed', 'The part is empty.', { errors })
  }
  if (await appendPart(db, id, at, bytes)) return await showImport(db, id)
  const { state, received, size } = await requireImport(db, id)
  throw new AppError(
    'conflict',
    state === 'uploading'
      ? `The import has ${received} of ${size} bytes and goes on there; these do not fit.`
      : `The import is ${state} and takes no more bytes.`,
  )
}

/** @throws AppError not_found, conflict */
export async function stopImport({ db }: ServerContext, by: By, id: string): Promise<LeadImport> {
  await db.transaction().execute(async (trx) => {
    const isCancelled = await cancelImport(trx, id)
    const { source_id, owner_user_id, accepted, state } = await requireImport(trx, id)
    if (!isCancelled) throw new AppError('conflict', `The import is ${state}.`)
    await auditChange(trx, by, {
      action: 'leads_import_cancelled',
      ...(owner_user_id !== null && { client: owner_user_id }),
      details: { import_id: id, source_id, accepted },
    })
  })
  return await showImport(db, id)
}
