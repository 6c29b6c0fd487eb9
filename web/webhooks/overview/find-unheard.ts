import { TEST_LEAD } from '#core/contract/leads/lead.ts'
import type { LeadFacts } from '#core/contract/webhooks/asked-delivery.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { judgeConditions } from '#core/domain/webhooks/conditions/judge-conditions.ts'

type Asked = Pick<
  WebhookConfig,
  'is_active' | 'trigger_on_lead_assigned' | 'trigger_on_lead_created' | 'conditions'
>

/** Reasons why a test lead reaches no endpoint, as sentences. */
export type Unheard = keyof typeof UNHEARD_WORDS

export const UNHEARD_WORDS = {
  no_webhook: 'No active webhook listens for assigned leads, so the test lead was sent nowhere.',
  no_fit: 'The test lead does not fit the conditions of any active webhook, so it was sent nowhere.',
} as const

/** The test lead as conditions see it: without an age and without custom fields. */
const FACTS: LeadFacts = {
  ...TEST_LEAD,
  age: null,
  date_of_birth: null,
  is_test: true,
  custom: {},
  zip: null,
  timezone: null,
  phone: null,
}

/**
 * Returns the reason why no webhook gets the test lead; null if one does. The lead is both received and
 * assigned, so either trigger applies.
 */
export function findUnheard(configs: readonly Asked[], now: Date): Unheard | null {
  const listening = configs.filter(
    (one) => one.is_active && (one.trigger_on_lead_assigned || one.trigger_on_lead_created),
  )
  if (listening.length === 0) return 'no_webhook'
  return listening.some(({ conditions }) => judgeConditions(conditions, FACTS, now).fits) ? null : 'no_fit'
}
