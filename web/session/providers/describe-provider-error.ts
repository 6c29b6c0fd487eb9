import { providerName } from '#web/format/provider-name.ts'
import { friendlyWords } from '../credentials/friendly-message.ts'
import type { ProviderFlow } from './kept-flow.ts'

/** Sentences by the service's error codes; a provider's own text is never repeated. */
const SENTENCES: Readonly<Record<string, (provider: string) => string>> = {
  access_denied: (provider) => `${provider} did not confirm it: you or the provider refused.`,
  bad_code_verifier: () => 'It was begun in another window. Please try again here.',
  bad_oauth_callback: (provider) => `${provider} gave no usable answer. Please try again.`,
  bad_oauth_state: () => 'It took too long, or was begun in another window. Please try again.',
  email_exists: () => 'An account with this email already exists',
  flow_state_expired: () => 'It took too long. Please try again.',
  flow_state_not_found: () => 'It took too long. Please try again.',
  identity_already_exists: (provider) => `This account of ${provider} is linked already.`,
  insufficient_aal: () => 'Sign in with your second factor first.',
  manual_linking_disabled: () => 'Ways to sign in cannot be added here.',
  network: () => friendlyWords('network'),
  over_request_rate_limit: () => friendlyWords('too_many_requests'),
  provider_email_needs_verification: () => friendlyWords('email_not_confirmed'),
  signup_disabled: () => 'Signups not allowed for this instance',
  unexpected_failure: (provider) => `${provider} could not be reached. Please try again later.`,
  user_banned: () => 'User is banned',
}

/** Describes the refusal to a user who returns from a provider. */
export function describeProviderError(code: string, { provider }: Pick<ProviderFlow, 'provider'>) {
  const describe = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined
  return describe?.(providerName(provider)) ?? friendlyWords('unknown')
}
