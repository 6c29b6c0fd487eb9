import { ChevronRight } from 'lucide-react'
import { RETURN_DAYS } from '#core/domain/market/judge-return.ts'
import { Section } from '../parts/Section.tsx'

const QUESTIONS = [
  {
    question: 'What does a lead cost?',
    answer:
      'The price depends on the type and the state. Your order shows it before you switch the order on. Ask us if you want to know it earlier.',
  },
  {
    question: 'Do I need a developer?',
    answer:
      'Usually not. If your CRM or automation tool gives you an address for incoming leads, a preset and two fields are enough. Signatures, templates and success rules are documented for developers.',
  },
  {
    question: 'Are leads shared?',
    answer: 'A lead is assigned to one client. It is sold again only if it was returned.',
  },
  {
    question: 'What may I return?',
    answer: `Within ${RETURN_DAYS} days you may return wrong or disconnected numbers, duplicates, leads outside your order, and people who never asked, among others. An administrator decides, and an approved return puts the price back on your balance.`,
  },
  {
    question: 'Can I stop?',
    answer:
      'Yes, at once. Switch an order off, and it buys nothing more. Auto-recharge is off until you switch it on.',
  },
  {
    question: 'Who may I call, and when?',
    answer:
      'Each lead shows the person’s local time and whether you may call at that time. It carries its consent evidence. The duties of the caller are yours.',
  },
]

/** Opens without JavaScript, by the browser's own disclosure element. */
export function Questions() {
  return (
    <Section title="Questions">
      <div className="max-w-[72ch] border-b border-line">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group border-t border-line">
            <summary className="flex min-h-12 items-center gap-3 py-2 text-base font-medium">
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
              />
              {question}
            </summary>
            <p className="pb-4 pl-7 text-base text-pretty text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
