import type { PayloadType } from '../../../core/contract/webhook-config.ts'
import { parseJsonTree, writeJsonTree } from '../../../core/domain/json-tree.ts'
import { renderPayload } from '../../../core/domain/render-template.ts'
import { sampleValues } from '../../../core/domain/sample-lead.ts'

/** What Test Endpoint would send, laid out for reading; `bytes` counts what goes over the wire. */
export interface TemplatePreviewText {
  contentType: string
  text: string
  bytes: number
  unknownPlaceholders: readonly string[]
}

/** @throws JsonSyntaxError when the template is not JSON */
export function previewTemplate(template: string, payloadType: PayloadType, now: Date): TemplatePreviewText {
  const { contentType, body, unknownPlaceholders } = renderPayload(
    template,
    payloadType,
    sampleValues('test', now),
  )
  return {
    contentType,
    text: payloadType === 'JSON' ? writeJsonTree(parseJsonTree(body), 2) : body,
    bytes: new TextEncoder().encode(body).length,
    unknownPlaceholders,
  }
}

/** The template with every `{{ wrong }}` (however it is spaced) made `{{right}}`; other text that looks like it stays. */
export function replacePlaceholder(template: string, wrong: string, right: string): string {
  return template.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, name: string) =>
    name.trim() === wrong ? `{{${right}}}` : whole,
  )
}
