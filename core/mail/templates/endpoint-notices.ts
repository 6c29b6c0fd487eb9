import type { MailData } from '#core/contract/mail.ts'
import { listDigest, type Digest, type ToldOfWebhook } from '#core/contract/gather-digest.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { countOf, showMoment } from '../show-values.ts'

type Endpoint = ToldOfWebhook &
  Pick<MailData<'endpoint_failing'>, 'webhook_name' | 'client_user_id' | 'client_name'>

/** Limit of webhooks that one mail lists; it counts the others. */
const MOST_LISTED = 50

/** The endpoint has failed many times in a row; it still gets leads. */
export function endpointFailing(data: MailData<'endpoint_failing'>, reader: MailReader): MailContent {
  const count = countIn(data)
  if (count > 1)
    return {
      ...frameOfMany(data, reader),
      subject: `${countOf(count, 'webhook')} keep failing`,
      title: 'These webhooks keep failing',
      paragraphs: [
        'Open each to see its last failure. Leads wait and are tried again on the retry schedule; those that an endpoint has refused by its answer are not.',
        'A webhook without one success for five days is switched off; leads that come in after that wait until it is switched on again.',
      ],
      facts: listWebhooks(
        data,
        reader,
        (one) => `since ${showMoment(one.failing_since)}: ${one.last_failure ?? 'not known'}`,
      ),
    }
  return {
    ...frame(data, reader),
    subject: 'A webhook keeps failing',
    title: 'This webhook keeps failing',
    paragraphs: data.refuses
      ? [
          `The endpoint of “${data.webhook_name}” answers, but it has refused the last ${data.failures_in_row} leads.`,
          'Look into the last failure below, and into the success rule of the webhook. It stays on.',
        ]
      : [
          `The last ${data.failures_in_row} attempts to reach the endpoint of “${data.webhook_name}” failed. Leads wait and are tried again on the retry schedule.`,
          'If no attempt succeeds for five days, the webhook is switched off; leads that come in after that wait until it is switched on again.',
        ],
    facts: [
      ...whose(data, reader),
      ['Failing since', showMoment(data.failing_since)],
      ['Last failure', data.last_failure ?? 'not known'],
      ['Waiting now', countOf(data.waiting, 'delivery')],
    ],
  }
}

/** The first success after a warning. */
export function endpointRecovered(data: MailData<'endpoint_recovered'>, reader: MailReader): MailContent {
  const count = countIn(data)
  if (count > 1)
    return {
      ...frameOfMany(data, reader),
      subject: `${countOf(count, 'webhook')} work again`,
      title: 'These webhooks work again',
      paragraphs: ['Their endpoints accept leads again. Whatever waited is sent on the retry schedule.'],
      facts: listWebhooks(data, reader, (one) => `since ${showMoment(one.recovered_at)}`),
    }
  return {
    ...frame(data, reader),
    subject: 'A webhook works again',
    title: 'This webhook works again',
    paragraphs: [
      `The endpoint of “${data.webhook_name}” accepts leads again. Whatever waited for it is sent on the retry schedule.`,
    ],
    facts: [
      ...whose(data, reader),
      ['Works since', showMoment(data.recovered_at)],
      ...(data.failing_since === null ? [] : [['Had failed since', showMoment(data.failing_since)] as const]),
    ],
  }
}

/** The system has switched the configuration off. */
export function endpointSwitchedOff(
  data: MailData<'endpoint_switched_off'>,
  reader: MailReader,
): MailContent {
  const count = countIn(data)
  if (count > 1)
    return {
      ...frameOfMany(data, reader),
      subject: `${countOf(count, 'webhook')} were switched off`,
      title: 'These webhooks were switched off',
      paragraphs: [
        'Leadwire has switched them off. Leads that come in now wait for them.',
        'Mend each endpoint, then test it and switch the webhook on again. You choose then whether the leads that wait are sent or discarded.',
      ],
      facts: listWebhooks(data, reader, (one) => `${showMoment(one.switched_off_at)}: ${one.reason}`),
    }
  return {
    ...frame(data, reader),
    subject: 'A webhook was switched off',
    title: 'This webhook was switched off',
    paragraphs: [
      `Leadwire has switched “${data.webhook_name}” off. Leads that come in now wait for it.`,
      'Mend the endpoint, then test it and switch the webhook on again. You choose then whether the leads that wait are sent or discarded.',
    ],
    facts: [
      ...whose(data, reader),
      ['Reason', data.reason],
      ['Switched off', showMoment(data.switched_off_at)],
      ['Waiting now', countOf(data.waiting, 'delivery')],
    ],
  }
}

function countIn(data: Digest<Endpoint>): number {
  return listDigest(data).length + (data.more ?? 0)
}

/** A line for each webhook: its client, if the reader is not its owner, its name, and what happened to it. */
function listWebhooks<Told extends Endpoint>(
  data: Digest<Told>,
  reader: MailReader,
  say: (told: Told) => string,
): Array<readonly [string, string]> {
  const listed = listDigest<Told>(data).slice(0, MOST_LISTED)
  const more = countIn(data) - listed.length
  return [
    ...listed.map(
      (one) =>
        [isOf(one, reader) ? one.webhook_name : `${one.client_name}: ${one.webhook_name}`, say(one)] as const,
    ),
    ...(more === 0 ? [] : [['And', `${countOf(more, 'webhook')} more`] as const]),
  ]
}

/** The owner can act on it; an administrator learns whose webhook it is. */
function frame(data: Endpoint, reader: MailReader): Pick<MailContent, 'action' | 'reason'> {
  const isOwner = isOf(data, reader)
  return {
    action: isOwner
      ? {
          label: 'Open the webhook',
          url: `${reader.publicUrl}/client-integrations?view=configure&logs=${data.webhook_config_id}`,
        }
      : openAdministration(reader),
    reason: isOwner ? 'You get this mail because the webhook is yours.' : OF_ADMINISTRATORS,
  }
}

function frameOfMany(data: Digest<Endpoint>, reader: MailReader): Pick<MailContent, 'action' | 'reason'> {
  const isOwner = listDigest(data).every((one) => isOf(one, reader))
  return {
    action: isOwner
      ? { label: 'Open the webhooks', url: `${reader.publicUrl}/client-integrations?view=configure` }
      : openAdministration(reader),
    reason: isOwner ? 'You get this mail because the webhooks are yours.' : OF_ADMINISTRATORS,
  }
}

const OF_ADMINISTRATORS = 'You get this mail because you are an administrator.'

function openAdministration({ publicUrl }: MailReader) {
  return { label: 'Open the administration', url: `${publicUrl}/admin` }
}

function isOf(data: Endpoint, reader: MailReader): boolean {
  return reader.user_id === data.client_user_id
}

function whose(data: Endpoint, reader: MailReader): Array<readonly [string, string]> {
  return isOf(data, reader) ? [] : [['Client', data.client_name]]
}
