import type { ClientSetup, SetupStep } from '#core/contract/market/client-setup.ts'

/** `waiting`: the rest, or all of it, is ours; `open`: not done, and not put off. */
export type SetupStepState = 'done' | 'waiting' | 'skipped' | 'open'

export interface SetupStepToShow {
  step: SetupStep
  state: SetupStepState
}

/**
 * The steps of a new client in their order, with their status: a step that is done counts as done, even if it was put
 * off before.
 */
export function listSetupSteps(setup: ClientSetup): SetupStepToShow[] {
  const done: Record<SetupStep, boolean> = {
    business: setup.business,
    order: setup.order,
    webhook: setup.webhook,
    test_lead: setup.delivered,
    funds: setup.funds,
    approval: setup.approved,
  }
  return (Object.keys(done) as SetupStep[]).map((step) => ({
    step,
    state: done[step]
      ? 'done'
      : step === 'approval' || (step === 'funds' && setup.funds_asked)
        ? 'waiting'
        : setup.skipped.includes(step)
          ? 'skipped'
          : 'open',
  }))
}

/**
 * The next step: the first open one after `after`, otherwise the first open one; undefined if none is open.
 * @param after the step that the client leaves, which is not next itself
 */
export function findNextStep(steps: readonly SetupStepToShow[], after?: SetupStep): SetupStep | undefined {
  const place = steps.findIndex(({ step }) => step === after)
  const open = steps.filter(({ step, state }) => state === 'open' && step !== after)
  return (open.find(({ step }) => steps.findIndex((one) => one.step === step) > place) ?? open[0])?.step
}
