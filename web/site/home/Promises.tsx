import { Section } from '../parts/Section.tsx'

const PROMISES = [
  {
    title: 'No lead is lost',
    text: 'A lead is written to disk before its source is told that it was accepted, and a delivery before it is tried. After a crash, work continues where it stopped.',
  },
  {
    title: 'No lead goes to somebody else',
    text: 'One step decides who gets a lead and charges its price, under a lock. The reasons of each decision are kept.',
  },
  {
    title: 'Nobody waits behind a broken endpoint',
    text: 'Deliveries to an endpoint that does not answer wait by themselves. Other endpoints do not notice.',
  },
  {
    title: 'Consent travels with the lead',
    text: 'The lead’s page shows the text, time and page of the consent, and any certificate. Your payload can carry them too.',
  },
  {
    title: 'Every request is signed',
    text: 'With HMAC-SHA256, as Standard Webhooks defines it. Your secret, headers and credentials are stored encrypted.',
  },
  {
    title: 'You see what happened',
    text: 'The log shows what each attempt sent, what came back and how long it took. Each lead shows its whole journey.',
  },
]

export function Promises() {
  return (
    <Section title="What you may rely on">
      <dl className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {PROMISES.map(({ title, text }) => (
          <div key={title}>
            <dt className="text-base font-semibold">{title}</dt>
            <dd className="mt-1 text-sm text-pretty text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
