import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'

export interface ShownPreview {
  contentType: string
  text: string
  bytes: number
  /** names of placeholders that no lead has */
  unknown: readonly string[]
}

/**
 * Renders the payload for the fictional lead, with the worker's own code.
 * @throws JsonSyntaxError if the template is not JSON
 */
export function showPreview(template: string, payloadType: PayloadType, now: Date): ShownPreview {
  const { contentType, body } = renderPayload(
    template,
    payloadType,
    sampleValues('lead.assigned', now),
    'empty',
  )
  return {
    contentType,
    text: payloadType === 'JSON' ? writeJsonTree(parseJsonTree(body), 2) : body.split('&').join('\n&'),
    bytes: new TextEncoder().encode(body).length,
    unknown: compileTemplate(template).unknownPlaceholders,
  }
}
