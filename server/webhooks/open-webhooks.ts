import type { Config } from '#core/config/config.ts'
import { createAddressGuard, type AddressGuard } from '#core/endpoint/guard-address.ts'
import { openLeadMailer } from '#core/mail/open-lead-mailer.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { createFanOut, type FanOut } from '#core/fairness/fan-out.ts'
import { openRateLimits, type CountingPlace, type RateLimits } from '../http/rate-limits.ts'
import type { Opened } from '#core/closing.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/** The connection to a client's endpoint for Test Endpoint, and the rate limits of tests. */
export interface WebhooksPart {
  guard: AddressGuard
  transport: Transport
  /** the reason why no endpoint may be a mail address; undefined if one may */
  mailRefusal: string | undefined
  /** limits in a minute: endpoint tests and test leads of a client */
  testRates: RateLimits<keyof Config['webhooks']['rates']>
  /** the clients for whose leads this server has planned many deliveries */
  fanOut: FanOut
}

export function openWebhooks(
  { config, logger }: { config: Pick<Config, 'webhooks' | 'mail' | 'auth'>; logger: Logger },
  counting: CountingPlace,
): Opened<WebhooksPart> {
  const { webhooks, mail } = config
  const guard = createAddressGuard(webhooks.allowedCidrs, undefined, { mostUnsure: webhooks.unsureLookUps })
  const transport = createTransport(guard, {
    timeoutMs: webhooks.timeoutMs,
    connectionsPerOrigin: webhooks.endpointConcurrency,
    bindAddress: webhooks.bindAddress,
    mail: openLeadMailer(mail),
    onProcessEnd: (reason) => {
      logger.warn({ reason }, 'a process for exchanges ended; another takes its place')
    },
  })
  const perMinute = (points: number) => ({ points, seconds: 60 })
  const limits = {
    endpoint_test: perMinute(webhooks.rates.endpoint_test),
    test_lead: perMinute(webhooks.rates.test_lead),
  }
  return {
    part: {
      guard,
      transport: { ...transport, send: (...sent) => outsideQueue(() => transport.send(...sent)) },
      mailRefusal: refuseMail(config),
      testRates: openRateLimits(limits, counting),
      fanOut: createFanOut(() => performance.now()),
    },
    close: () => transport.close(),
  }
}

function refuseMail({ mail, auth }: Pick<Config, 'mail' | 'auth'>): string | undefined {
  if (mail.smtpUrl === undefined)
    return 'This installation has no mail server, so it cannot send leads by email. Use an https:// URL.'
  // Somebody who signs up under a stranger's address could have the stranger mailed.
  return auth.email.autoconfirm
    ? 'This installation does not have addresses confirmed, so it cannot send leads by email. Use an https:// URL.'
    : undefined
}
