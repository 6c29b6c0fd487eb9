import type { Config } from '#core/config/config.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { openLeadMailer } from '#core/mail/open-lead-mailer.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import type { Opened } from '#core/closing.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { createOutcomeTally, type OutcomeTally } from './tally-outcomes.ts'

const NO_MAIL = 'the mail server did not take a lead by email; it is tried again'
const ENDED = 'a process for exchanges ended; another takes its place'

/** Sends requests to the clients' endpoints, and counts their outcomes. */
export interface EndpointPart {
  transport: Transport
  outcomes: OutcomeTally
}

export function openEndpoint({
  config: { webhooks, mail },
  logger,
}: {
  config: Pick<Config, 'webhooks' | 'mail'>
  logger: Logger
}): Opened<EndpointPart> {
  const guard = createAddressGuard(webhooks.allowedCidrs, undefined, { mostUnsure: webhooks.unsureLookUps })
  const sayOnce = createSayOnce()
  const transport = createTransport(guard, {
    timeoutMs: webhooks.timeoutMs,
    // Many clients' endpoints may share one origin. The slot pool limits each endpoint, so the connection pool must
    // not: otherwise an endpoint would wait for a socket that another client's endpoint holds.
    connectionsPerOrigin: webhooks.concurrency * 2,
    bindAddress: webhooks.bindAddress,
    mail: openLeadMailer(mail),
    onMailTrouble: (failure) => {
      sayOnce(failure, (repeats) => {
        logger.error({ failure, ...(repeats > 0 && { repeats }) }, NO_MAIL)
      })
    },
    onProcessEnd: (reason) => {
      logger.warn({ reason }, ENDED)
    },
  })
  return {
    part: { transport, outcomes: createOutcomeTally() },
    close: () => transport.close(),
  }
}
