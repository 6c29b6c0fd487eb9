import { LEAST_PAYMENT } from '#core/contract/market/payment.ts'
import { formatDollars } from '#web/format/money.ts'
import { Section } from '../parts/Section.tsx'

const STEPS = [
  {
    title: 'Choose what you want',
    text: 'An order says which lead types and states, between which hours, and how many a day, a week, a month. Its price per lead stands there before you switch it on.',
  },
  {
    title: 'Connect your CRM',
    text: 'Paste the address that your CRM gives you. Presets fill in the usual receivers; Test Endpoint sends a fictional lead and shows the answer.',
  },
  {
    title: 'Fund a balance',
    text: `From ${formatDollars(LEAST_PAYMENT)} at a time. A lead’s price is taken in the moment it becomes yours; nothing you buy brings the balance below zero.`,
  },
  {
    title: 'Receive',
    text: 'Each lead arrives signed, under your names of its fields, and is yours alone. What is wrong with one may be returned, and the price goes back on your balance.',
  },
]

export function Steps() {
  return (
    <Section title="From nothing to the first lead in four steps">
      <ol className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="border-t border-line-strong pt-4">
            <p className="text-xs font-medium text-faint tabular">Step {index + 1}</p>
            <h3 className="mt-1 text-base font-semibold">{title}</h3>
            <p className="mt-2 text-sm text-pretty text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
