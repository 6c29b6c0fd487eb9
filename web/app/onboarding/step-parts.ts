import type { ComponentType } from 'react'
import type { SetupStep } from '#core/contract/market/client-setup.ts'
import { lazyPart } from '../lazy-part.ts'
import type { StepFlow } from './use-setup-flow.ts'

/** The form of each step, loaded on demand: the forms are shared with other screens, and large. */
export const STEP_PARTS: Readonly<Record<SetupStep, ComponentType<{ flow: StepFlow }>>> = {
  business: lazyPart('BusinessStep', async () => (await import('./BusinessStep.tsx')).BusinessStep),
  order: lazyPart('OrderStep', async () => (await import('./OrderStep.tsx')).OrderStep),
  webhook: lazyPart('WebhookStep', async () => (await import('./WebhookStep.tsx')).WebhookStep),
  test_lead: lazyPart('TestLeadStep', async () => (await import('./TestLeadStep.tsx')).TestLeadStep),
  approval: lazyPart('ApprovalStep', async () => (await import('./ApprovalStep.tsx')).ApprovalStep),
  funds: lazyPart('FundsStep', async () => (await import('./FundsStep.tsx')).FundsStep),
}
