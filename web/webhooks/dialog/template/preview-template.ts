import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'

/** The rendered payload, formatted for reading; `bytes` is its size as sent. */
export interface TemplatePreviewText {
  contentType: string
  text: string
  bytes: number
}

/**
 * Renders the payload that Test Endpoint would send.
 * @throws JsonSyntaxError if the template is not JSON
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

/** Formats a rendered body for reading: JSON is indented, a form stays as it is. */
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

/** Splits a preview into lines to compare: the lines of the JSON, or the pairs of a form. */
export function splitPreview(text: string, payloadType: PayloadType): string[] {
  if (payloadType === 'FORM') return text.split('&')
  // The trailing comma is dropped, because a member that becomes the last would otherwise count as changed.
  return text.split('\n').map((line) => line.replace(/,$/, ''))
}
