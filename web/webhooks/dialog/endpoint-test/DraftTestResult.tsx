import { useFormContext, useWatch } from 'react-hook-form'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { TestResult } from './TestResult.tsx'
import type { DraftTest, KeptResult } from './use-draft-test.ts'

export interface DraftTestResultProps extends Pick<DraftTest, 'write'> {
  kept: KeptResult
}

/** Shows the result of a test, and whether the form has changed since. */
export function DraftTestResult({ kept, write }: DraftTestResultProps) {
  const { getValues } = useFormContext<WebhookFormValues>()
  // Subscribes to every field.
  useWatch<WebhookFormValues>()
  const { result, draft, tested, isMail } = kept
  const now = JSON.stringify(write(getValues()))
  return <TestResult result={result} tested={tested} isMail={isMail} isOutdated={now !== draft} />
}
