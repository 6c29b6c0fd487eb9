import type { EndpointTest } from '#core/contract/webhooks/webhook-config.ts'
import { MOST_ID_CHARACTERS, type KeptBody } from '#core/domain/webhooks/answer/judge-body.ts'
import { explainNoId, listMisses } from '#core/domain/webhooks/answer/list-misses.ts'
import type { Verdict } from '#core/domain/webhooks/answer/read-answer.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import type { RequestSettings } from '#core/endpoint/prepare-request.ts'

/** Conditions and sending hours of the tested configuration, which a test does not check. */
export type Ignored = Pick<EndpointTest, 'conditions' | 'sending_hours'>

/** `misplaced`: placeholders that are sent unfilled. */
type TestedSettings = Pick<RequestSettings, 'endpointUrl' | 'template' | 'answerRules'> & {
  ignored: Ignored
  misplaced: string[]
}

const GONE =
  '410: your endpoint says it is gone. A lead that is answered so switches its webhook off. Put the new address in Endpoint URL if its answer does not say why.'

/** Explains why the answer does not match the parts of the success rule, except what `told` already says. */
function describeMisses({ answerRules }: TestedSettings, sent: KeptBody, told = ''): string[] {
  return listMisses(answerRules.successRule, sent)
    .filter(({ because }) => !told.endsWith(`: ${because}.`))
    .map(({ part, because }) => `Not ${part}: ${because}.`)
}

export function describeFailure(
  { errorClass, message, disable }: Extract<Verdict, { state: 'failed' }>,
  settings: TestedSettings,
  sent: KeptBody,
): string {
  // A test switches nothing off.
  if (disable !== undefined) return GONE
  const isByBody = errorClass === 'refused_by_body'
  const isUnasked = settings.answerRules.successRule !== null && errorClass === 'http_4xx'
  return [
    message,
    ...(isByBody ? describeMisses(settings, sent, message) : []),
    ...(isUnasked ? ['Its success rule was not asked: it reads 2xx answers alone.'] : []),
  ].join(' ')
}

/** A template with unknown placeholders is sent, and the test names them. */
export function describeSuccess(
  status: number | null,
  { outcome, receiverId }: Extract<Verdict, { state: 'delivered' }>,
  settings: TestedSettings,
  sent: KeptBody,
): string {
  const { template, answerRules, ignored, misplaced } = settings
  const unknown = template.unknownPlaceholders.map((name) => `{{${name}}}`).join(', ')
  return [
    isMailUrl(settings.endpointUrl)
      ? `The mail server took the mail (${status ?? ''}). Look for it in the mailbox, and among spam.`
      : `Your endpoint answered ${status ?? ''}${outcome === null ? '' : `, and its answer says: ${outcome}`}.`,
    receiverId === null
      ? explainNoId(answerRules, sent)
      : `Its id for the lead is ${receiverId}${receiverId.length < MOST_ID_CHARACTERS ? '' : ', cut off there'}.`,
    ...describeMisses(settings, sent),
    unknown === '' ? '' : `Unknown placeholders were sent empty: ${unknown}.`,
    misplaced.length === 0
      ? ''
      : `Sent as they stand, outside of the template’s values: ${[...new Set(misplaced)].join(', ')}.`,
    describeIgnored(ignored),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function describeIgnored({ conditions, sending_hours: hours }: Ignored): string {
  const what = [conditions === null ? '' : 'conditions', hours === null ? '' : 'sending hours'].filter(
    (name) => name !== '',
  )
  return what.length === 0 ? '' : `A test is sent whatever its ${what.join(' and ')} say.`
}
