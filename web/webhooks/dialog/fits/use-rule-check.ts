import { useFormContext } from 'react-hook-form'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Answers what to call when a part of a condition has changed: once a save was refused, the whole of it is judged anew. */
export function useRuleCheck(index: number): () => void {
  const { trigger, formState } = useFormContext<WebhookFormValues>()
  const { isSubmitted } = formState
  return () => {
    if (isSubmitted) void trigger(`conditions.rules.${index}`)
  }
}
