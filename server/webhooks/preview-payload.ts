import type { LeadFacts } from '#core/contract/webhooks/asked-delivery.ts'
import type { Preview, PreviewRequest } from '#core/contract/webhooks/webhook-config.ts'
import { findLeadForPayload } from '#core/data/leads/lead-details.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { maskCredentials } from '#core/domain/webhooks/mask-credentials.ts'
import { refuseInUrl } from '#core/domain/webhooks/template/check-address.ts'
import { compileAddress, fillAddress } from '#core/domain/webhooks/template/fill-address.ts'
import {
  countFormatted,
  LARGEST_PAYLOAD,
  PayloadTooLargeError,
} from '#core/domain/webhooks/template/payload-size.ts'
import { renderPayload, type RenderedPayload } from '#core/domain/webhooks/template/render-template.ts'
import type { PlaceholderValues } from '#core/domain/webhooks/template/placeholder-value.ts'
import { outcomeUrl } from '#core/domain/leads/outcome-url.ts'
import { SAMPLE_LEAD, SAMPLE_OUTCOME_TOKEN, sampleValues } from '#core/domain/leads/sample-lead.ts'
import { judgeConditions, listUnmet } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import { findPlace } from '#core/zip-table/zip-table.ts'
import { readStates } from '#core/domain/webhooks/conditions/read-states.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { readTemplate } from './configs/check-webhook-config.ts'

/** Renders a template with a lead of the caller, or with the fixed fictional one. */
export async function previewPayload(
  context: ServerContext,
  caller: Principal,
  given: PreviewRequest,
  bodyText: string,
): Promise<Preview> {
  const template = readTemplate(bodyText, given.payload_template)
  if (!template.ok) {
    const errors = [{ path: 'payload_template', message: template.reason }]
    throw new AppError('validation_failed', template.reason, { errors })
  }
  const { values, facts } = await readLead(context, caller, given.lead_id)
  const { contentType, body, unknownPlaceholders, url, headers } = render(template.text, given, values)
  // Saving refuses an invalid state; the form asks for previews while it is still being typed.
  const conditions = given.conditions === null ? null : readStates(given.conditions).conditions
  const fit = judgeConditions(conditions, facts, new Date(), findPlace)
  return {
    content_type: contentType,
    body,
    url,
    headers,
    unknown_placeholders: unknownPlaceholders,
    would_send: fit.fits,
    unmet: fit.fits ? [] : listUnmet(fit),
  }
}

/** @throws AppError validation_failed if the payload, the URL or a header is longer than may be sent */
function render(
  template: string,
  { payload_type, missing_values, ...address }: PreviewRequest,
  values: PlaceholderValues,
): RenderedPayload & Pick<Preview, 'url' | 'headers'> {
  const payload = refuseTooLarge('payload_template', () =>
    renderPayload(template, payload_type, values, missing_values, LARGEST_PAYLOAD),
  )
  return { ...payload, ...fillGiven(address, values) }
}

/** A URL that saving would refuse stays as it is: the form says why. */
function fillGiven(
  { endpoint_url: url, custom_headers }: Pick<PreviewRequest, 'endpoint_url' | 'custom_headers'>,
  values: PlaceholderValues,
): Pick<Preview, 'url' | 'headers'> {
  const isFillable = url !== undefined && refuseInUrl(url) === undefined
  // As for a delivery: formats of both together may read so much.
  const { note } = countFormatted(LARGEST_PAYLOAD)
  const fill = (path: string, given: string, headers: Readonly<Record<string, string>>) =>
    refuseTooLarge(path, () => {
      const address = compileAddress(given, headers)
      return address && fillAddress(address, values, note)
    })
  return {
    url: fill('endpoint_url', isFillable ? url : '', {})?.url ?? url ?? null,
    headers: maskCredentials(fill('custom_headers', '', custom_headers)?.headers ?? {}),
  }
}

/** @throws AppError validation_failed at this field */
function refuseTooLarge<Made>(path: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PayloadTooLargeError)) throw error
    const { message } = error
    throw new AppError('validation_failed', message, { errors: [{ path, message }] })
  }
}

async function readLead(
  context: ServerContext,
  caller: Principal,
  leadId: string | undefined,
): Promise<{ values: PlaceholderValues; facts: LeadFacts }> {
  const now = new Date()
  const { apiUrl } = context.config.http
  if (leadId === undefined) return { values: sampleValues('lead.assigned', now, apiUrl), facts: SAMPLE_LEAD }
  const lead = await findLeadForPayload(context.db, caller, leadId)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  const values = leadValues(lead, {
    event: 'lead.assigned',
    // A preview is no delivery, so it shows the sample's id.
    deliveryId: SAMPLE_LEAD.id,
    clientId: caller.user_id,
    sentAt: now,
    outcomeUrl: () => outcomeUrl(apiUrl, SAMPLE_OUTCOME_TOKEN),
  })
  return { values, facts: lead }
}
