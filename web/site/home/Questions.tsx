import { ChevronRight } from 'lucide-react'
import { RETURN_DAYS } from '#core/domain/market/judge-return.ts'
import { Section } from '../parts/Section.tsx'

const QUESTIONS = [
  {
    question: 'What does a lead cost?',
    answer:
      'It depends on its type and state, and stands at your order before you switch it on. Ask us where you want to know beforehand.',
  },
  {
    question: 'Do I need a developer?',
    answer:
      'Mostly not. If your CRM or automation tool gives you an address for incoming leads, a preset and two fields are enough. A developer of yours finds signatures, templates and success rules documented.',
  },
  {
    question: 'Are leads shared?',
    answer: 'A lead is assigned to one client. It is sold again only if it was given back.',
  },
  {
    question: 'What may I return?',
    answer: `Within ${RETURN_DAYS} days: wrong or disconnected numbers, duplicates, leads outside your order, and people who never asked, among others. An administrator decides, and an approved return puts the price back on your balance.`,
  },
  {
    question: 'Can I stop?',
    answer:
      'At once: switch an order off, and nothing more is bought. Auto-recharge is off until you switch it on.',
  },
  {
    question: 'Who may I call, and when?',
    answer:
      'Each lead shows the time where the person is and whether that is one to call at, and carries its consent evidence. The duties of whoever calls are yours.',
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
