import type { Config } from '#core/config/config.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { createTransport, type Transport } from '#core/endpoint/transport.ts'
import type { Opened } from '#core/opened.ts'
import { createOutcomeTally, type OutcomeTally } from './tally-outcomes.ts'

/** The way to the clients' endpoints, and how they did. */
export interface EndpointPart {
  transport: Transport
  outcomes: OutcomeTally
}

export function openEndpoint({ webhooks }: Pick<Config, 'webhooks'>): Opened<EndpointPart> {
  const guard = createAddressGuard(webhooks.allowedCidrs, undefined, { mostUnsure: webhooks.unsureLookUps })
  const transport = createTransport(guard, {
    timeoutMs: webhooks.timeoutMs,
    // Many clients' endpoints may share one origin, so it is the slot share that limits each, not the pool: nobody must ever
    // wait for a socket that another client's endpoint holds.
    connectionsPerOrigin: webhooks.concurrency * 2,
  })
  return {
    part: { transport, outcomes: createOutcomeTally() },
    close: () => transport.close(),
  }
}
