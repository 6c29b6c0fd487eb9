import type { Config } from '#core/config/config.ts'
import { createAddressGuard, type AddressGuard } from '#core/endpoint/guard-address.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import { openRateLimits, type CountingPlace, type RateLimits } from '../http/rate-limits.ts'
import type { Opened } from '#core/opened.ts'

const LIMITS = { endpoint_test: { points: 30, seconds: 60 } }

/** The way to a client's endpoint, for Test Endpoint. */
export interface WebhooksPart {
  guard: AddressGuard
  transport: Transport
  /** how often a client may send a test */
  testRates: RateLimits<keyof typeof LIMITS>
}

export function openWebhooks(
  { webhooks }: Pick<Config, 'webhooks'>,
  counting: CountingPlace,
): Opened<WebhooksPart> {
  const guard = createAddressGuard(webhooks.allowedCidrs)
  const transport = createTransport(guard, {
    timeoutMs: webhooks.timeoutMs,
    connectionsPerOrigin: webhooks.endpointConcurrency,
  })
  return {
    part: { guard, transport, testRates: openRateLimits(LIMITS, counting) },
    close: () => transport.close(),
  }
}
