const HEADERS = [
  ['webhook-id', 'The same on every retry: store it, and accept each lead once.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse what is older than five minutes.'],
  ['webhook-signature', 'v1, and the base64 HMAC-SHA256 of id.timestamp.body, keyed with the secret.'],
  ['leadwire-event', 'lead.assigned, lead.created or test.'],
  [
    'leadwire-delivery, leadwire-attempt',
    'The delivery and the number of the attempt: name them to support.',
  ],
] as const

/** Lists the headers of every request (docs/product.md §5) and what a receiver does with each. */
export function RequestHeaders() {
  return (
    <section aria-label="Headers of every request" className="min-w-0">
      <h3 className="text-sm font-medium">Headers of every request</h3>
      <dl className="mt-2 divide-y divide-line rounded-lg border border-line">
        {HEADERS.map(([name, meaning]) => (
          <div key={name} className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[15rem_1fr]">
            <dt className="font-mono text-xs break-words">{name}</dt>
            <dd className="text-xs text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
