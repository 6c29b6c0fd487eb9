import { useEffect, useRef, useState, type RefObject } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { setupStepSchema, type SetupProgress, type SetupStep } from '#core/contract/market/client-setup.ts'
import { findNextStep, listSetupSteps } from '#core/domain/market/list-setup-steps.ts'
import { onboardingPath } from '#web/paths.ts'
import { SetupDone } from './SetupDone.tsx'
import { focusAtTop } from './use-setup-flow.ts'
import { StepNav } from './StepNav.tsx'
import { StepPanel } from './StepPanel.tsx'

/** Shows the step that the address names; without one, the first open step or the end. */
export function SetupSteps({ setup }: { setup: SetupProgress }) {
  const [search] = useSearchParams()
  const current = setupStepSchema.safeParse(search.get('step')).data
  const steps = listSetupSteps(setup)
  const next = findNextStep(steps)
  const [visited, setVisited] = useState<readonly SetupStep[]>([])
  const panels = useRef<HTMLDivElement>(null)
  const onMove = useFocusAfterMove(panels, current)
  if (current === undefined && next !== undefined) return <Navigate to={onboardingPath(next)} replace />
  if (current !== undefined && !visited.includes(current)) setVisited([...visited, current])
  return (
    <div className="grid gap-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
      <StepNav steps={steps} current={current} />
      <div ref={panels} className="max-w-4xl min-w-0">
        {current === undefined && <SetupDone setup={setup} steps={steps} />}
        {steps
          .filter(({ step }) => step === current || visited.includes(step))
          .map((step) => (
            <StepPanel key={step.step} step={step} isShown={step.step === current} onMove={onMove} />
          ))}
      </div>
    </div>
  )
}

/**
 * After a step's button moves on, the focus goes to the heading of the next step, because the button is gone.
 */
function useFocusAfterMove(panels: RefObject<HTMLDivElement | null>, current: SetupStep | undefined) {
  const hasMoved = useRef(false)
  useEffect(() => {
    if (!hasMoved.current) return
    hasMoved.current = false
    focusAtTop(panels.current?.querySelector<HTMLElement>(':scope > :not([hidden]) h2'))
  }, [panels, current])
  return () => {
    hasMoved.current = true
  }
}
