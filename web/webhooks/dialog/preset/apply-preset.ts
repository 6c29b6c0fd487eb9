import type { Preset } from '#core/contract/webhooks/presets/preset.ts'
import { showRule } from '../answers/answer-rule-values.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** The form's fields that a preset sets. */
export type StartingPoint = Pick<
  WebhookFormValues,
  | 'request_method'
  | 'payload_type'
  | 'endpoint_url'
  | 'custom_headers'
  | 'payload_template'
  | 'missing_values'
  | 'answer'
  | 'capture_path'
>

export function startFromPreset(preset: Preset): StartingPoint {
  return {
    request_method: preset.request_method,
    payload_type: preset.payload_type,
    endpoint_url: preset.endpoint_url,
    custom_headers: JSON.stringify(preset.custom_headers, null, 2),
    payload_template: JSON.stringify(preset.payload_template, null, 2),
    missing_values: preset.missing_values,
    answer: showRule(preset.success_rule),
    capture_path: preset.capture_path ?? '',
  }
}

/** Returns the edited fields that `next` would overwrite. */
export function findOverwritten(
  values: StartingPoint,
  start: StartingPoint,
  next: StartingPoint,
): (keyof StartingPoint)[] {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (Object.keys(next) as (keyof StartingPoint)[]).filter(
    (key) =>
      !isSame(values[key], start[key]) &&
      !isSame(values[key], next[key]) &&
      // A typed URL is kept if the preset has none.
      !(key === 'endpoint_url' && (next.endpoint_url === '' || values.endpoint_url === '')),
  )
}

/** Chooses the URL: the preset's, or a typed one if the preset has none. */
export function chooseEndpointUrl(values: StartingPoint, start: StartingPoint, next: StartingPoint): string {
  if (next.endpoint_url !== '') return next.endpoint_url
  return values.endpoint_url === start.endpoint_url ? '' : values.endpoint_url
}
