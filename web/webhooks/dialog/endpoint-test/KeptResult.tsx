import { useFormContext, useWatch } from 'react-hook-form'
import type { EndpointDraft } from '../../queries/webhook-endpoint-test.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import type { KeptTest } from './keep-test.ts'
import { TestResult } from './TestResult.tsx'

export interface KeptResultProps {
  kept: KeptTest
  writeDraft: (values: WebhookFormValues) => EndpointDraft
}

/** Shows the result of the last test, and whether the form has changed since. */
export function KeptResult({ kept: { draft, ...shown }, writeDraft }: KeptResultProps) {
  const { getValues } = useFormContext<WebhookFormValues>()
  // Subscribes to every field.
  useWatch<WebhookFormValues>()
  return <TestResult {...shown} isOutdated={JSON.stringify(writeDraft(getValues())) !== draft} />
}
