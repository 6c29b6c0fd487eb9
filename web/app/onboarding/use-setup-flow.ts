import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import type { SetupStep } from '#core/contract/market/client-setup.ts'
import { findNextStep, listSetupSteps, type SetupStepState } from '#core/domain/market/list-setup-steps.ts'
import { setupQuery, useSkipSetupStep } from '#web/market/market-queries.ts'
import { onboardingPath } from '#web/paths.ts'

/** How one step is left. */
export interface StepFlow {
  state: SetupStepState
  /** To the next step that is open, or to the end. */
  goOn: () => Promise<void>
  /** The same, once what has just been saved counts. */
  onSaved: () => Promise<void>
  skip: () => void
  isSkipping: boolean
  skipFailure: unknown
}

/**
 * The ways out of a step.
 * @param onMove is told before another step is shown
 */
export function useSetupFlow(step: SetupStep, state: SetupStepState, onMove: () => void): StepFlow {
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

/** After something was set up; the mark of its step follows. */
export function useRefreshSetup() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey })
}
