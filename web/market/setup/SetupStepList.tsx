import { Link } from 'react-router-dom'
import { findNextStep, type SetupStepToShow } from '#core/domain/market/list-setup-steps.ts'
import { onboardingPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { SETUP_WORDS } from './setup-words.ts'
import { StepMark } from './StepMark.tsx'

/** Lists the steps with their state and links to those that are left; the next one stands out. */
export function SetupStepList({ label, steps }: { label: string; steps: readonly SetupStepToShow[] }) {
  const next = findNextStep(steps)
  return (
    <ol aria-label={label} className="divide-y divide-line">
      {steps.map((one, index) => (
        <StepLine key={one.step} step={one} number={index + 1} isNext={one.step === next} />
      ))}
    </ol>
  )
}

interface StepLineProps {
  step: SetupStepToShow
  number: number
  isNext: boolean
}

function StepLine({ step: { step, state }, number, isNext }: StepLineProps) {
  const { title, text, action, waiting } = SETUP_WORDS[step]
  const isDone = state === 'done'
  return (
    <li
      {...(isNext ? { 'aria-current': 'step' as const } : {})}
      className="flex items-start gap-3 px-4 py-3 sm:items-center"
    >
      <StepMark number={number} state={state} />
      {/* On a phone each button has its own line, below its text. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className={isDone ? 'text-sm text-muted' : 'text-sm font-medium'}>
            {title}
            {isDone && <span className="sr-only"> (done)</span>}
          </p>
          {!isDone && <p className="text-xs text-muted">{state === 'waiting' ? waiting?.text : text}</p>}
        </div>
        {state === 'waiting' && <Badge tone="waiting">{waiting?.label}</Badge>}
        {state === 'skipped' && <Badge>Skipped</Badge>}
        {(state === 'open' || state === 'skipped') && (
          <Link to={onboardingPath(step)} className={buttonClass(isNext ? 'primary' : 'secondary', 'sm')}>
            {action}
          </Link>
        )}
      </div>
    </li>
  )
}
