import { RotateCcw, SquarePen, Zap } from 'lucide-react'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { maxAttempts, USUAL_RETRY_STEPS } from '#core/domain/webhooks/retry-schedule.ts'
import { saySeconds } from '#web/format/say-seconds.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { JourneyLine } from '#web/ui/show/JourneyLine.tsx'
import type { Station } from '#web/ui/show/station.ts'
import { Section } from '../parts/Section.tsx'

const ATTEMPTS = maxAttempts({ stepSeconds: USUAL_RETRY_STEPS })

const STATIONS: readonly Station[] = [
  { key: 'received', label: 'Received', state: 'done' },
  { key: 'assigned', label: 'Assigned', state: 'done' },
  { key: 'sent', label: 'Sent', state: 'done', note: `${ATTEMPTS} attempts` },
  { key: 'delivered', label: 'Not delivered', state: 'failed' },
]

/** The log's own sentence about a 401. */
const verdict = readAnswer({ kind: 'answer', status: 401, headers: {} }, new Date(0))
const SENTENCE = verdict.state === 'failed' ? verdict.message : ''

const WAYS = [
  {
    icon: SquarePen,
    title: 'Fix',
    text: 'The log names the field. Open the webhook and enter the new key.',
  },
  {
    icon: Zap,
    title: 'Test',
    text: 'Test Endpoint sends a fictional lead and shows code, time and answer.',
  },
  {
    icon: RotateCcw,
    title: 'Resend',
    text: 'Send one delivery again, or all that failed since a time you choose. Your CRM recognises a repeat by its webhook-id.',
  },
]

export function FailedDelivery() {
  return (
    <Section
      title="When your endpoint says no"
      lead={`Keys expire and servers stop. A failed delivery is tried up to ${ATTEMPTS} times: again after ${saySeconds(USUAL_RETRY_STEPS[0] ?? 0)}, then ${saySeconds(USUAL_RETRY_STEPS[1] ?? 0)}, then hours apart. If an endpoint keeps failing, you get an email. The leads stay yours to read, export and send again.`}
    >
      <figure className="rounded-lg border border-line bg-surface">
        <div className="px-5 py-6">
          <JourneyLine stations={STATIONS} />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 text-sm">
          <Badge tone="failure">Failed</Badge>
          <span className="text-muted tabular">Attempt {ATTEMPTS}</span>
          <span className="basis-full sm:basis-auto">{SENTENCE}</span>
        </div>
        <figcaption className="border-t border-line px-5 py-2 text-xs text-faint">
          An example, in the words of the delivery log
        </figcaption>
      </figure>
      <ol className="mt-8 grid gap-8 sm:grid-cols-3">
        {WAYS.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon aria-hidden className="size-5 stroke-[1.75] text-accent" />
            <h3 className="mt-2 text-base font-semibold">{title}</h3>
            <p className="mt-1 text-sm text-pretty text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
