import { LEAST_PAYMENT } from '#core/contract/market/money/payment.ts'
import { formatDollars } from '#web/format/money.ts'
import { Section } from '../parts/Section.tsx'

const STEPS = [
  {
    title: 'Choose what you want',
    text: 'An order names the lead type, the states, the hours, and how many leads you want a day, a week or a month. It shows the price per lead before you switch it on.',
  },
  {
    title: 'Connect your CRM',
    text: 'Paste the address that your CRM gives you. Presets fill in the form for known receivers. Test Endpoint sends a fictional lead and shows the answer.',
  },
  {
    title: 'Fund a balance',
    text: `From ${formatDollars(LEAST_PAYMENT)} at a time. The price is charged the moment a lead becomes yours. Nothing you buy brings the balance below zero.`,
  },
  {
    title: 'Receive',
    text: 'Each lead arrives signed, with your own field names, and is yours alone. You may return a wrong lead, and its price goes back to your balance.',
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
