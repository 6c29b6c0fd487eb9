import { Suspense, useCallback, useId, useRef } from 'react'
import { SETUP_STEPS } from '#core/contract/market/client-setup.ts'
import type { SetupStepToShow } from '#core/domain/market/list-setup-steps.ts'
import { SETUP_WORDS } from '#web/market/setup/setup-words.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { STEP_PARTS } from './step-parts.ts'
import { focusAtTop, useSetupFlow } from './use-setup-flow.ts'

export interface StepPanelProps {
  step: SetupStepToShow
  isShown: boolean
  onMove: () => void
}

/** One step. It stays mounted while another is shown, so that typed text is kept. */
export function StepPanel({ step: { step, state }, isShown, onMove }: StepPanelProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const toTop = useCallback(() => focusAtTop(heading.current), [])
  const flow = { ...useSetupFlow(step, state, onMove), toTop }
  const { title, text } = SETUP_WORDS[step]
  const Part = STEP_PARTS[step]
  return (
    <section hidden={!isShown} aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-4">
      <header>
        <p id={`${id}-place`} className="text-xs text-muted tabular">
          Step {SETUP_STEPS.indexOf(step) + 1} of {SETUP_STEPS.length}
        </p>
        <h2
          ref={heading}
          id={`${id}-title`}
          tabIndex={-1}
          aria-describedby={`${id}-place`}
          className="text-lg font-semibold tracking-tight outline-none"
        >
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-muted">{text}</p>
      </header>
      <Suspense fallback={<CardSkeleton />}>
        <Part flow={flow} />
      </Suspense>
    </section>
  )
}
