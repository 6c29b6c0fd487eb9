import type { Revocation } from '#core/contract/leads/revocation.ts'

const BY: Readonly<Record<Revocation['reported_by'], string>> = {
  consumer: 'The person',
  source: 'A source',
  client: 'A client',
  administrator: 'An administrator',
}

/** Names the source or the client, where there is one. */
export function nameReporter({ reported_by: by, source, client, proof }: Revocation) {
  if (by === 'source') return source?.name ?? BY.source
  if (by === 'client') return client?.name ?? BY.client
  if (proof === null) return BY[by]
  return `${BY[by]}, by a code ${proof === 'sms' ? 'to the phone' : 'to the address'}`
}

/** For whom it counts. */
export function sayReach({ reach, client }: Revocation) {
  if (reach === 'everybody') return 'Everybody, so the person is sold to nobody'
  return reach === 'leads' ? 'The leads that the source sent' : `Only ${client?.name ?? 'the client'}`
}
