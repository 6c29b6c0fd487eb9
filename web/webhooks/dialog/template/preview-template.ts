import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'

/** What would be sent, laid out for reading; `bytes` counts what goes over the wire. */
export interface TemplatePreviewText {
  contentType: string
  text: string
  bytes: number
}

/**
 * What Test Endpoint would send.
 * @throws JsonSyntaxError when the template is not JSON
 */
export function previewTemplate(
  template: string,
  payloadType: PayloadType,
  now: Date,
  missingValues: MissingValues = 'empty',
): TemplatePreviewText {
  const { contentType, body } = renderPayload(template, payloadType, sampleValues('test', now), missingValues)
  return layOutPreview(payloadType, contentType, body)
}

/** A rendered body for reading: JSON opened up, a form as it is. */
export function layOutPreview(
  payloadType: PayloadType,
  contentType: string,
  body: string,
): TemplatePreviewText {
  return {
    contentType,
    text: payloadType === 'JSON' ? writeJsonTree(parseJsonTree(body), 2) : body,
    bytes: new TextEncoder().encode(body).length,
  }
}

/** A preview as lines to compare: those of the JSON, or a form's pairs. */
export function splitPreview(text: string, payloadType: PayloadType): string[] {
  if (payloadType === 'FORM') return text.split('&')
  // The comma of a last member that is no longer the last would show a line as changed.
  return text.split('\n').map((line) => line.replace(/,$/, ''))
}
