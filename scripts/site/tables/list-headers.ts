import { prepareRequest } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { asCode, writeTable } from './write-table.ts'

const MEANINGS: Readonly<Record<string, string>> = {
  'content-type': '`application/json`, or `application/x-www-form-urlencoded` with the format Form Data',
  'user-agent':
    'The name of the sender, with the address of this documentation; a custom header may replace it',
  accept: 'Any type of answer; a custom header may replace it',
  'accept-encoding': '`identity`: an answer without compression',
  'webhook-id': 'The id of the event, the same on every retry and every resend; drop repeats by it',
  'webhook-timestamp': 'The time of this attempt, in seconds since 1970',
  'webhook-signature':
    '`v1,` and the signature in base64; two, separated by a space, while a replaced secret still signs',
  'leadwire-event': '`lead.created`, `lead.assigned` or `test`',
  'leadwire-delivery': 'The id of the delivery, as the delivery log has it',
  'leadwire-attempt': '1 for the first attempt, then 2, 3 and so on',
}

/** The headers of a request as the sending code makes them; a header without an explanation is an error. */
export function listHeaders(): string {
  const { headers } = prepareRequest(
    {
      endpointUrl: 'https://crm.example.com/leads',
      method: 'POST',
      payloadType: 'JSON',
      template: compileTemplate('{}'),
      missingValues: 'empty',
      answerRules: { successRule: null, capturePath: null },
      customHeaders: {},
      signingSecrets: [createSigningSecret()],
    },
    { event: 'test', eventId: 'id', deliveryId: 'id', attempt: 1, sentAt: new Date(0) },
    {},
    'https://leadwire.example.com',
  )
  const rows = Object.keys(headers).map((name) => {
    const meaning = MEANINGS[name]
    if (meaning === undefined) throw new Error(`Nobody explained the header ${name}`)
    return [asCode(name), meaning]
  })
  return writeTable(['Header', 'What it says'], rows)
}
