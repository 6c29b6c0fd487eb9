import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'

/** Describes how the format sends a template. */
export function describeFormat(payloadType: PayloadType): string {
  return payloadType === 'JSON'
    ? 'JSON, sent as it stands: key order and numbers survive. A value that is exactly one placeholder keeps its type.'
    : 'A JSON object; each of its keys is sent as a form field, and every value as text: name=Test+Lead&state=CA.'
}

const IN_JSON: Readonly<Record<MissingValues, string>> = {
  empty: 'In longer text nothing; alone null.',
  null: 'Null. Longer text is null too if none of its placeholders has a value.',
  omit: 'The key or array item is left out. So is longer text if none of its placeholders has a value.',
}
const IN_A_FORM: Readonly<Record<MissingValues, string>> = {
  empty: 'In longer text nothing; alone an empty field: name=',
  null: 'An empty field, also for longer text if none of its placeholders has a value: name=',
  omit: 'The field is left out, also for longer text if none of its placeholders has a value.',
}

/** Describes what a placeholder without a value becomes. */
export function describeMissing(chosen: MissingValues, payloadType: PayloadType): string {
  return (payloadType === 'JSON' ? IN_JSON : IN_A_FORM)[chosen]
}
