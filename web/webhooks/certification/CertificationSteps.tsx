import { CircleAlert, CircleCheck, CircleSlash, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CertificationAttempt, ShownStep, StepResult } from '#core/contract/webhooks/certification.ts'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { RESULT_WORDS, STEP_NAMES } from './certification-words.ts'

const ICONS: Readonly<Record<StepResult, ReactNode>> = {
  waiting: <Clock aria-hidden className="size-4 text-muted" />,
  running: <Spinner />,
  passed: <CircleCheck aria-hidden className="size-4 text-success" />,
  failed: <CircleAlert aria-hidden className="size-4 text-failure" />,
  skipped: <CircleSlash aria-hidden className="size-4 text-muted" />,
}
/** More requests of a case are only counted: a burst has fifty. */
const SHOWN = 5

export function CertificationSteps({ steps }: { steps: readonly ShownStep[] }) {
  return (
    <ol aria-label="Cases" className="divide-y divide-line rounded-lg border border-line">
      {steps.map((step) => (
        <li key={step.step} className="flex gap-3 px-4 py-2.5 tight:px-3">
          <span className="mt-0.5 shrink-0">{ICONS[step.result]}</span>
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap justify-between gap-x-3 text-sm">
              <span className="font-medium">{STEP_NAMES[step.step]}</span>
              <span className={step.result === 'failed' ? 'text-failure' : 'text-muted'}>
                {RESULT_WORDS[step.result]}
              </span>
            </p>
            {step.detail !== null && <p className="mt-0.5 text-sm break-words text-muted">{step.detail}</p>}
            {step.result === 'failed' && <Mend step={step} />}
            {step.result === 'failed' && step.attempts.length > 0 && (
              <Disclosure title="Requests">
                <Attempts attempts={step.attempts} />
              </Disclosure>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mend({ step }: { step: ShownStep }) {
  return (
    <div className="mt-2 flex flex-col gap-2 text-sm">
      {step.why !== null && (
        <p>
          <span className="font-medium">Why it matters: </span>
          {step.why}
        </p>
      )}
      {step.mend !== null && (
        <p>
          <span className="font-medium">How to mend it: </span>
          {step.mend}
        </p>
      )}
      {step.code !== null && (
        <CodeBlock label={`Code for: ${STEP_NAMES[step.step]}`} code={step.code} wrap={false} />
      )}
    </div>
  )
}

function Attempts({ attempts }: { attempts: readonly CertificationAttempt[] }) {
  // Attempts are only added at the end, so each keeps its number.
  const numbered = attempts.slice(0, SHOWN).map((attempt, index) => ({ ...attempt, number: index + 1 }))
  return (
    <ul className="flex flex-col gap-1 pb-1">
      {numbered.map(({ number, status, ms, answer }) => (
        <li key={number} className="flex flex-wrap gap-x-3 font-mono text-xs">
          <span>{status ?? 'No answer'}</span>
          <span className="text-muted tabular">{ms} ms</span>
          {answer !== null && answer !== '' && <span className="min-w-0 break-all text-muted">{answer}</span>}
        </li>
      ))}
      {attempts.length > SHOWN && <li className="text-xs text-muted">and {attempts.length - SHOWN} more</li>}
    </ul>
  )
}
