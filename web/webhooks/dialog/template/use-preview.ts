import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { previewQuery } from '#web/webhooks/queries/webhook-preview.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { layOutPreview, previewTemplate, type TemplatePreviewText } from './preview-template.ts'

const DEBOUNCE_MS = 300

export interface PreviewSettings {
  /** valid JSON */
  template: string
  payloadType: PayloadType
  missingValues: MissingValues
  /** null for the fictional lead, which needs no server */
  leadId: string | null
}

/** A template rendered with the fictional lead at once, or by the server with a lead of one's own. */
export function usePreview({ template, payloadType, missingValues, leadId }: PreviewSettings): {
  preview: TemplatePreviewText | null
  failure: string | null
} {
  const [openedAt] = useState(() => new Date())
  const templateText = useDebounced(template, DEBOUNCE_MS)
  const query = useQuery(previewQuery({ templateText, payloadType, missingValues, leadId }))
  if (leadId === null) {
    return { preview: previewTemplate(template, payloadType, openedAt, missingValues), failure: null }
  }
  if (query.isError) return { preview: null, failure: errorSentence(query.error) }
  if (query.data === undefined) return { preview: null, failure: null }
  const { content_type: contentType, body } = query.data
  // The answer of a moment ago may be of the other format.
  const shownAs = contentType === 'application/json' ? 'JSON' : 'FORM'
  return { preview: layOutPreview(shownAs, contentType, body), failure: null }
}
