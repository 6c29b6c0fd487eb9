import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'

/**
 * Says what happens to deliveries that wait for a webhook when it is deleted; `health` is undefined until
 * known.
 */
export function describeLoss(health: Pick<EndpointHealth, 'waiting' | 'waiting_more'> | undefined): string {
  const rest = 'The leads and their timelines stay.'
  if (health === undefined) return `Deliveries that wait for it are not sent. ${rest}`
  const { waiting, waiting_more } = health
  if (waiting === 0) return `Nothing waits for it. ${rest}`
  const count = waiting.toLocaleString('en-US')
  const more = waiting_more ? 'More than ' : ''
  return waiting === 1 && !waiting_more
    ? `1 delivery waits for it and will not be sent. ${rest}`
    : `${more}${count} deliveries wait for it and will not be sent. ${rest}`
}
