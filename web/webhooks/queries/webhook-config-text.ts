import { parseJsonTree, readMember, writeJsonTree } from '#core/domain/webhooks/template/json-tree.ts'
import { CLIENT_EVENTS, type ClientEvent } from '#core/contract/events.ts'
import { webhookConfigSchema, type WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'

/** A configuration with its JSON members as text, so that an edit keeps key order and numbers. */
export interface EditableWebhookConfig {
  config: WebhookConfig
  headersText: string
  templateText: string
  /** the own templates of events */
  eventTemplateTexts: Partial<Record<ClientEvent, string>>
}

/** Reads the raw answer of `GET /api/v1/webhook-configs/:id`. */
export function readWebhookConfigText(answer: string): EditableWebhookConfig {
  const parsed: unknown = JSON.parse(answer)
  return {
    config: webhookConfigSchema.parse(parsed),
    headersText: layOut(readMember(answer, 'custom_headers') ?? '{}'),
    templateText: layOut(readMember(answer, 'payload_template') ?? '{}'),
    eventTemplateTexts: readEach(readMember(answer, 'event_templates') ?? '{}'),
  }
}

function readEach(templates: string): EditableWebhookConfig['eventTemplateTexts'] {
  return Object.fromEntries(
    CLIENT_EVENTS.flatMap((event) => {
      const text = readMember(templates, event)
      return text === undefined ? [] : [[event, layOut(text)]]
    }),
  )
}

/** A text of several lines keeps its layout; a single long line is indented for reading. */
function layOut(json: string): string {
  return json.includes('\n') ? json : writeJsonTree(parseJsonTree(json), 2)
}

type JsonTexts = { custom_headers: string; payload_template: string; event_templates?: string }

/**
 * Writes a request body that contains the JSON texts verbatim. They are already validated; `JSON.parse`
 * would move integer-like keys to the front and round long numbers.
 */
export function writeWebhookBody<Values extends JsonTexts>(values: Values): string {
  const { custom_headers, payload_template, event_templates, ...plain } = values
  const members = Object.entries(plain).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  )
  members.push(`"custom_headers":${custom_headers.trim()}`, `"payload_template":${payload_template.trim()}`)
  if (event_templates !== undefined) members.push(`"event_templates":${event_templates}`)
  return `{${members.join(',')}}`
}
