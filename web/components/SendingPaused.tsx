import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { Banner } from '#web/ui/show/Banner.tsx'

/** Says why administrators have paused all sending to this client. */
export function SendingPaused({ health }: { health: readonly EndpointHealth[] }) {
  const reason = health.find((one) => one.sending_pause_reason !== null)?.sending_pause_reason
  if (reason === undefined || reason === null) return null
  return (
    <Banner tone="waiting" title={`Sending is paused by Leadwire: ${reason}`}>
      Your leads wait, and nothing is lost.
    </Banner>
  )
}
