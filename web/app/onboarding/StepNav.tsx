import clsx from 'clsx'
import { Link } from 'react-router-dom'
import type { SetupStep } from '#core/contract/market/client-setup.ts'
import type { SetupStepState, SetupStepToShow } from '#core/domain/market/list-setup-steps.ts'
import { SETUP_WORDS } from '#web/market/setup/setup-words.ts'
import { StepMark } from '#web/market/setup/StepMark.tsx'
import { onboardingPath } from '#web/paths.ts'

export interface StepNavProps {
  steps: readonly SetupStepToShow[]
  /** undefined at the end */
  current: SetupStep | undefined
}

const STATE_WORDS: Partial<Readonly<Record<SetupStepState, string>>> = {
  done: 'Done',
  skipped: 'Skipped',
}

/**
 * Lists all steps with their state: beside the current one if there is room, otherwise as a row of numbers
 * above it.
 */
export function StepNav({ steps, current }: StepNavProps) {
  return (
    <nav aria-label="Steps" className="min-w-0">
      <ol className="flex gap-1 lg:flex-col">
        {steps.map(({ step, state }, index) => {
          const isCurrent = step === current
          const said = state === 'waiting' ? SETUP_WORDS[step].waiting?.label : STATE_WORDS[state]
          return (
            <li key={step} className="min-w-0">
              <Link
                to={onboardingPath(step)}
                {...(isCurrent ? { 'aria-current': 'step' as const } : {})}
                className={clsx(
                  'flex items-center gap-3 rounded-lg p-2 text-sm transition-colors hover:bg-hover tight:p-0.5',
                  isCurrent ? 'bg-hover font-medium' : 'text-muted',
                )}
              >
                <StepMark number={index + 1} state={state} isCurrent={isCurrent} />
                <span className="sr-only min-w-0 lg:not-sr-only">
                  {SETUP_WORDS[step].title}
                  {said !== undefined && (
                    <>
                      <span className="sr-only">: </span>
                      <span className="block text-xs font-normal text-muted">{said}</span>
                    </>
                  )}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
