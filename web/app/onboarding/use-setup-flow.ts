import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import type { SetupStep } from '#core/contract/market/client-setup.ts'
import { findNextStep, listSetupSteps, type SetupStepState } from '#core/domain/market/list-setup-steps.ts'
import { setupQuery, useSkipSetupStep } from '#web/market/market-queries.ts'
import { onboardingPath } from '#web/paths.ts'

/** The ways to leave a step. */
export interface StepFlow {
  state: SetupStepState
  /** Goes to the next open step, or to the end. */
  goOn: () => Promise<void>
  /** Refreshes the progress after a save, then goes on. */
  onSaved: () => Promise<void>
  /** Shows the step from its top, after its content was replaced. */
  toTop: () => void
  skip: () => void
  isSkipping: boolean
  skipFailure: unknown
}

/**
 * Creates the actions that leave a step.
 * @param onMove called before another step is shown
 */
export function useSetupFlow(
  step: SetupStep,
  state: SetupStepState,
  onMove: () => void,
): Omit<StepFlow, 'toTop'> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const skipping = useSkipSetupStep()
  const refreshSetup = useRefreshSetup()
  const move = async () => {
    const setup = queryClient.getQueryData(setupQuery.queryKey)
    if (setup === undefined) return
    onMove()
    await navigate(onboardingPath(findNextStep(listSetupSteps(setup), step)))
  }
  return {
    state,
    goOn: move,
    onSaved: async () => {
      await refreshSetup()
      await move()
    },
    skip: () => skipping.mutate(step, { onSuccess: () => void move() }),
    isSkipping: skipping.isPending,
    skipFailure: skipping.error,
  }
}

/** Shows the page from its top, with the focus on this heading: what had it is gone. */
export function focusAtTop(heading: HTMLElement | null | undefined) {
  heading?.focus({ preventScroll: true })
  window.scrollTo(0, 0)
}

/** Refreshes the progress, so that the step gets its mark. */
export function useRefreshSetup() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey })
}
