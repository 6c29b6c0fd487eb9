import { findSpecSource, type SpecSource } from '#core/data/leads/sources/posting-specs.ts'
import { AppError } from '#core/errors.ts'
import { readPostingSpec } from '#core/secrets/posting-spec-token.ts'
import type { ServerContext } from '../../context.ts'

/**
 * The source whose posting specification a link shares. A link that was never issued, has expired or was
 * replaced, and a link of a source whose key was revoked, all get the same answer.
 * @throws AppError not_found
 */
export async function findSharedSource(
  { db, leads: { specKeys } }: ServerContext,
  token: string,
): Promise<SpecSource & { expires_at: Date }> {
  const read = readPostingSpec(specKeys, token, new Date())
  const source = read === undefined ? undefined : await findSpecSource(db, read.source_id)
  if (read === undefined || source?.spec_version !== read.version)
    throw new AppError('not_found', 'This link is not valid any more. Ask for a new one.')
  return { ...source, expires_at: read.expires_at }
}
