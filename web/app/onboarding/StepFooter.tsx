import type { ReactNode } from 'react'
import { errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import type { StepFlow } from './use-setup-flow.ts'

export interface StepFooterProps {
  flow: StepFlow
  /** The button that saves the step. Without one, *Continue* leaves it. */
  children?: ReactNode
}

/** Buttons to leave a step: save, skip or continue. */
export function StepFooter({ flow, children }: StepFooterProps) {
  const { state, skip, isSkipping, skipFailure, goOn } = flow
  const isSettled = state === 'done' || state === 'waiting'
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      {skipFailure !== null && (
        <Banner tone="failure" urgent title="The step could not be skipped">
          {errorSentence(skipFailure)}
        </Banner>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {!isSettled && (
          <Button variant="quiet" busy={isSkipping} onClick={skip}>
            Skip for now
          </Button>
        )}
        {children}
        {isSettled && (
          <Button variant={children === undefined ? 'primary' : 'secondary'} onClick={() => void goOn()}>
            Continue
          </Button>
        )}
      </div>
    </div>
  )
}
