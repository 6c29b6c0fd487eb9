import type { MailData } from '#core/contract/mail.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { countOf, showMoment } from '../show-values.ts'

type Endpoint = Pick<
  MailData<'endpoint_failing'>,
  'webhook_config_id' | 'webhook_name' | 'client_user_id' | 'client_name'
>

/** The endpoint has failed many times in a row; it still gets leads. */
export function endpointFailing(data: MailData<'endpoint_failing'>, reader: MailReader): MailContent {
  return {
    ...frame(data, reader),
    subject: `Webhook “${data.webhook_name}” keeps failing`,
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
  return {
    ...frame(data, reader),
    subject: `Webhook “${data.webhook_name}” works again`,
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
  return {
    ...frame(data, reader),
    subject: `Webhook “${data.webhook_name}” was switched off`,
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

/** The owner can act on it; an administrator learns whose it is. */
function frame(data: Endpoint, reader: MailReader): Pick<MailContent, 'action' | 'reason'> {
  const isOwner = reader.user_id === data.client_user_id
  return {
    action: isOwner
      ? {
          label: 'Open the webhook',
          url: `${reader.publicUrl}/client-integrations?view=configure&logs=${data.webhook_config_id}`,
        }
      : { label: 'Open the administration', url: `${reader.publicUrl}/admin` },
    reason: isOwner
      ? 'You get this mail because the webhook is yours.'
      : 'You get this mail because you are an administrator.',
  }
}

function whose(data: Endpoint, reader: MailReader): Array<readonly [string, string]> {
  return reader.user_id === data.client_user_id ? [] : [['Client', data.client_name]]
}
