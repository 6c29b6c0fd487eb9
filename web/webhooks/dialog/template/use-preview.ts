import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'
import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'
import { judgeConditions, listUnmet } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import { errorSentence } from '#web/api/errors.ts'
import { previewQuery } from '#web/webhooks/queries/webhook-preview.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { fillWithSample, pickFilled, type Address, type FilledAddress } from './preview-address.ts'
import { layOutPreview, previewTemplate, type TemplatePreviewText } from './preview-template.ts'

const DEBOUNCE_MS = 300

export interface PreviewSettings {
  /** valid JSON */
  template: string
  payloadType: PayloadType
  missingValues: MissingValues
  /** null for the fictional lead, which needs no request */
  leadId: string | null
  /** null or undefined: every lead is sent */
  conditions?: Conditions | null
  /** left out: nobody looks at it */
  address?: Address
}

const NO_ADDRESS: Address = { url: '', headers: {} }

/** Renders a template with the fictional lead at once, or on the server with a real lead. */
export function usePreview(settings: PreviewSettings): {
  preview: TemplatePreviewText | null
  failure: string | null
  /** fields whose conditions the lead does not match, empty if it is sent; null until known */
  unmet: readonly string[] | null
  /** null until known */
  filled: FilledAddress | null
} {
  const { template, payloadType, missingValues, leadId, conditions = null, address = NO_ADDRESS } = settings
  const [openedAt] = useState(() => new Date())
  const templateText = useDebounced(template, DEBOUNCE_MS)
  const asked = useDebounced(JSON.stringify(pickFilled(address)), DEBOUNCE_MS)
  const query = useQuery(
    previewQuery({
      templateText,
      payloadType,
      missingValues,
      leadId,
      conditions,
      address: JSON.parse(asked) as ReturnType<typeof pickFilled>,
    }),
  )
  if (leadId === null) {
    const fit = judgeConditions(conditions, SAMPLE_LEAD, openedAt)
    return {
      preview: previewTemplate(template, payloadType, openedAt, missingValues),
      failure: null,
      unmet: fit.fits ? [] : listUnmet(fit),
      filled: fillWithSample(address, openedAt),
    }
  }
  if (query.isError) return { preview: null, failure: errorSentence(query.error), unmet: null, filled: null }
  if (query.data === undefined) return { preview: null, failure: null, unmet: null, filled: null }
  const { content_type: contentType, body, would_send: fits, unmet } = query.data
  // The previous answer may have another format.
  const shownAs = contentType === 'application/json' ? 'JSON' : 'FORM'
  return {
    preview: layOutPreview(shownAs, contentType, body),
    failure: null,
    // The previous answer may be about another lead.
    unmet: query.isPlaceholderData ? null : fits ? [] : unmet,
    filled: query.isPlaceholderData ? null : { url: query.data.url, headers: query.data.headers },
  }
}
