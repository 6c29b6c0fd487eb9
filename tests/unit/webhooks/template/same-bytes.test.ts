import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { CLAIMED_FIELDS } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { outcomeUrl } from '#core/domain/leads/outcome-url.ts'
import { createKeyring } from '#core/secrets/keyring.ts'
import { outcomeExpiry, signOutcome } from '#core/secrets/outcome-token.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { parseJsonTree, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'
import { renderPayload } from '#core/domain/webhooks/template/render-template.ts'
import { prepareRequest, type RequestSettings } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { previewTemplate } from '#web/webhooks/dialog/template/preview-template.ts'
import { prepareDelivery } from '#worker/endpoint/prepare-delivery.ts'
import { leads, templates } from './random-templates.ts'

const { asText, asJson } = CLAIMED_FIELDS
const CLIENT = '00000000-0000-7000-8000-000000000003'
const SENT_AT = new Date('2026-03-08T08:30:15.250Z')
const IDENTITY = {
  event: 'lead.assigned',
  eventId: CLIENT,
  deliveryId: CLIENT,
  attempt: 1,
  sentAt: SENT_AT,
} as const
const outcomeKeys = createKeyring(randomBytes(32).toString('base64')).keysFor('outcomes')
const occasionOf = (lead: LeadForPayload) => ({
  ...IDENTITY,
  clientId: CLIENT,
  outcomeUrl: () =>
    outcomeUrl(
      http.apiUrl,
      signOutcome(outcomeKeys, {
        lead_id: lead.id,
        client_user_id: CLIENT,
        webhook_config_id: CLIENT,
        expires_at: outcomeExpiry(SENT_AT),
      }),
    ),
})
const { http } = loadConfig({ DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache:6379' })
const SAMPLE = sampleValues('test', SENT_AT)
const OPEN = { authentication: { type: 'none' }, certificates: null, keptAs: null } as const
const secrets = [createSigningSecret()]

const settle = (template: string, payloadType: 'JSON' | 'FORM', missingValues: 'empty' | 'null' | 'omit') =>
  ({
    endpointUrl: 'https://crm.example.com/hook',
    method: 'POST',
    payloadType,
    template: compileTemplate(template),
    missingValues,
    answerRules: { successRule: null, capturePath: null },
    customHeaders: {},
    signingSecrets: secrets,
  }) satisfies RequestSettings

/** The worker gets the row as JSON text. */
const claim = (lead: LeadForPayload) =>
  ({
    delivery_id: CLIENT,
    lease_token: CLIENT,
    attempt: 1,
    turn: 0,
    event_id: CLIENT,
    event_type: 'lead.assigned',
    client_user_id: CLIENT,
    webhook_config_id: CLIENT,
    is_probe: false,
    is_resend: false,
    was_put_off: false,
    due_at: new Date(0),
    config_version: '1',
    lead_id: lead.id,
    lead: JSON.stringify([
      ...asText.map((name) => lead[name]),
      ...asJson.map((name) => (lead[name] === null ? null : JSON.stringify(lead[name]))),
    ]),
    claimed_at: SENT_AT,
    sequence: null,
  }) as const

describe('for 10,000 templates and leads', { timeout: 180_000 }, () => {
  it('preview, test and delivery send the same bytes, in each format and with each setting for missing values', () => {
    fc.assert(
      fc.property(
        templates,
        leads,
        fc.constantFrom('JSON', 'FORM'),
        fc.constantFrom('empty', 'null', 'omit'),
        (template, lead, payloadType, missing) => {
          const settings = settle(template, payloadType, missing)
          // With a real lead: the server's preview and the worker's delivery.
          const preview = renderPayload(template, payloadType, leadValues(lead, occasionOf(lead)), missing)
          const delivery = prepareDelivery(
            { config: { http }, outcomeKeys },
            { ...settings, access: OPEN, hours: null, templateOfEvent: () => settings.template },
            claim(lead),
          )
          // With the fictional lead: the browser's preview and Test Endpoint.
          const test = prepareRequest(settings, { ...IDENTITY, event: 'test' }, SAMPLE, http.publicUrl)
          const shown = previewTemplate(template, payloadType, SENT_AT, missing)
          const isJson = payloadType === 'JSON'
          return (
            delivery.body === preview.body &&
            delivery.headers['content-type'] === preview.contentType &&
            test.body === (isJson ? writeJsonTree(parseJsonTree(shown.text)) : shown.text) &&
            // A value stays inside its string, whatever it contains.
            (!isJson || typeof JSON.parse(delivery.body) === 'object')
          )
        },
      ),
      { numRuns: 10_000 },
    )
  })
})
