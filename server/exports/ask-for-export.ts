import { MOST_OPEN_EXPORTS, type Export } from '#core/contract/exports/export.ts'
import type { NewExport } from '#core/contract/exports/new-export.ts'
import { countOpenExports, insertExport } from '#core/data/exports/exports.ts'
import { AppError } from '#core/errors.ts'
import { writeFilters } from '#core/use-cases/exports/export-filters.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { auditExport } from '../leads/export-leads.ts'
import { requireKind } from './export-reader.ts'
import { showExport } from './show-export.ts'

const AGAIN_SECONDS = 30

/**
 * Asks for a file that a worker makes. The audit log records an export of leads now, before its first byte.
 * @throws AppError forbidden, rate_limited if the account has too many that are not made yet
 */
export async function askForExport(
  context: ServerContext,
  by: { caller: Principal; from: Caller },
  given: { wanted: NewExport; bodyText: string; idempotencyKey: string | undefined },
): Promise<Export> {
  const { caller } = by
  const { wanted, bodyText, idempotencyKey } = given
  requireKind(caller, wanted.kind)
  const filter = wanted.kind === 'leads' ? (wanted.filters ?? {}) : {}
  const request = { operation: 'export.create', key: idempotencyKey, content: bodyText }
  const { id } = await createOnce(context, { user_id: caller.person_id, ...request }, async (trx, id) => {
    if ((await countOpenExports(trx, caller.user_id)) >= MOST_OPEN_EXPORTS) throw tooMany()
    await insertExport(trx, {
      id,
      account_id: caller.user_id,
      asked_by: caller.person_id,
      member_user_id: caller.member_user_id ?? null,
      is_of_all: caller.role === 'admin',
      kind: wanted.kind,
      filters: writeFilters(filter),
      file_name: `${caller.user_id}/${wanted.kind}-${new Date().toISOString().slice(0, 10)}-${id}.csv`,
    })
    if (wanted.kind === 'leads') await auditExport(trx, by, filter, id)
  })
  return await showExport(context, caller, id)
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `${MOST_OPEN_EXPORTS} exports of your account are being made. Ask again when one is ready.`,
    { retryAfterSeconds: AGAIN_SECONDS },
  )
}
