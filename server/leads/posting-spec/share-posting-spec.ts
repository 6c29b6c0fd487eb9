import { findSpecSource, replaceSpecVersion } from '#core/data/leads/sources/posting-specs.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import { AppError } from '#core/errors.ts'
import { signPostingSpec } from '#core/secrets/posting-spec-token.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

const DAY_MS = 24 * 3600 * 1000

/**
 * Makes a link to a source's posting specification. The link is not stored: to replace a lost one, make
 * another.
 * @throws AppError not_found
 */
export async function sharePostingSpec(
  { db, config, leads: { specKeys } }: ServerContext,
  by: By,
  id: string,
  days: number,
): Promise<{ url: string; expires_at: string }> {
  const source = await findSpecSource(db, id)
  if (source === undefined) throw new AppError('not_found', 'Source not found')
  // In whole seconds, as the link says it.
  const expires = new Date(Math.floor((Date.now() + days * DAY_MS) / 1000) * 1000)
  const token = signPostingSpec(specKeys, {
    source_id: id,
    version: source.spec_version,
    expires_at: expires,
  })
  const expires_at = expires.toISOString()
  await auditChange(db, by, { action: 'posting_spec_shared', details: { source_id: id, expires_at } })
  return { url: config.http.publicUrl + APP_PATHS.postingSpec.replace(':token', token), expires_at }
}

/** Revokes every link to a source's posting specification that exists so far. @throws AppError not_found */
export async function revokePostingSpecs({ db }: ServerContext, by: By, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await replaceSpecVersion(trx, id))) throw new AppError('not_found', 'Source not found')
    await auditChange(trx, by, { action: 'posting_specs_revoked', details: { source_id: id } })
  })
}
