import { EXAMPLE_LEAD } from '#core/contract/leads/posting-notes.ts'
import { BATCH_LIMIT } from '#core/contract/leads/lead-ingest.ts'
import { POSTING_ANSWERS } from '#core/contract/leads/posting-answers.ts'
import type { PostingSpec } from '#core/contract/leads/posting-spec.ts'
import { listLeadTypeCodes } from '#core/data/leads/sources/posting-specs.ts'
import type { ServerContext } from '../../context.ts'
import { describeFields } from './describe-fields.ts'
import { findSharedSource } from './find-shared-source.ts'

/** A source's posting specification, for anybody who has its link. @throws AppError not_found */
export async function showPostingSpec(context: ServerContext, token: string): Promise<PostingSpec> {
  const source = await findSharedSource(context, token)
  const { apiUrl } = context.config.http
  const codes = await listLeadTypeCodes(context.db)
  const example = { ...EXAMPLE_LEAD, ...(codes[0] !== undefined && { lead_type: codes[0] }) }
  return {
    source: source.name,
    test_mode: source.test_mode,
    expires_at: source.expires_at.toISOString(),
    method: 'POST',
    url: `${apiUrl}/api/v1/leads`,
    batch: { url: `${apiUrl}/api/v1/leads/batch`, most: BATCH_LIMIT },
    headers: [
      { name: 'Authorization', value: 'Bearer YOUR_API_KEY' },
      { name: 'Content-Type', value: 'application/json' },
    ],
    fields: describeFields(codes),
    example,
    answers: [...POSTING_ANSWERS],
    leads_per_minute: context.config.ingestRate,
  }
}
