import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { SetupStepState } from '#core/domain/market/list-setup-steps.ts'

export interface StepMarkProps {
  number: number
  state: SetupStepState
  isCurrent?: boolean
}

/** The number of a step, or a mark that it is done. */
export function StepMark({ number, state, isCurrent = false }: StepMarkProps) {
  const isDone = state === 'done'
  return (
    <span
      aria-hidden
      className={clsx(
        'flex size-6 shrink-0 items-center justify-center rounded-full text-xs tabular',
        isDone ? 'bg-success-soft text-success forced-colors:border' : 'border',
        !isDone && (isCurrent ? 'border-accent text-accent-strong' : 'border-line-strong text-muted'),
      )}
    >
      {isDone ? <Check className="size-3.5" /> : number}
    </span>
  )
}
