import { infiniteQueryOptions } from '@tanstack/react-query'
import {
  ownRevocationSchema,
  revocationCodeSentSchema,
  revocationProvenSchema,
} from '#core/contract/leads/revocation.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '../../api/api-path.ts'
import { request } from '../../api/client.ts'

/** Prefix of the query keys of what an account was told. */
export const OWN_REVOCATIONS_KEY = ['leads', 'revocations']

/** The leads that the account may not contact any more. */
export function ownRevocationsQuery(filters: { open?: 'true'; revocation_id?: string }) {
  return infiniteQueryOptions({
    queryKey: [...OWN_REVOCATIONS_KEY, filters],
    queryFn: ({ pageParam, signal }) =>
      request(
        withQuery(apiPath('revocations'), { ...filters, cursor: pageParam }),
        pageSchema(ownRevocationSchema),
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
  })
}

export function acknowledgeRevocation(leadId: string) {
  return request(apiPath('leads', leadId, 'revocation', 'acknowledge'), ownRevocationSchema, {
    method: 'POST',
  })
}

export function askForCode(contact: string, captchaToken: string | undefined) {
  return request(apiPath('revocations', 'code'), revocationCodeSentSchema, {
    method: 'POST',
    body: { contact, ...(captchaToken !== undefined && { captcha_token: captchaToken }) },
  })
}

export function revokeWithCode(body: { contact: string; code: string }) {
  return request(apiPath('revocations', 'proof'), revocationProvenSchema, { method: 'POST', body })
}
