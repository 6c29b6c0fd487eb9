import { Section } from '../parts/Section.tsx'

const PROMISES = [
  {
    title: 'No lead is lost',
    text: 'A lead is written to disk before its source hears “taken”, and so is each delivery before it is tried. What a crash interrupts goes on where it stopped.',
  },
  {
    title: 'No lead goes to somebody else',
    text: 'Who gets a lead is decided once, under a lock, with the price in the same step. Each decision keeps its reasons.',
  },
  {
    title: 'Nobody waits behind a broken endpoint',
    text: 'An endpoint that does not answer waits by itself. The others do not notice.',
  },
  {
    title: 'Consent travels with the lead',
    text: 'The text that was agreed to, when and where, and any certificate: on the lead’s page, and in your payload if you ask for it.',
  },
  {
    title: 'Every request is signed',
    text: 'HMAC-SHA256 as Standard Webhooks has it. Your secret, your headers and what you sign in with are kept sealed.',
  },
  {
    title: 'You see what happened',
    text: 'Each attempt with what was sent, what came back and how long it took; each lead with its whole way.',
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
