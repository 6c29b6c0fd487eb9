import { useFormContext } from 'react-hook-form'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/**
 * Returns a function to call when a part of a condition has changed: after a refused save it validates the
 * whole condition again.
 */
export function useRuleCheck(index: number): () => void {
  const { trigger, formState } = useFormContext<WebhookFormValues>()
  const { isSubmitted } = formState
  return () => {
    if (isSubmitted) void trigger(`conditions.rules.${index}`)
  }
}
