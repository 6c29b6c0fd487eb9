import type { ClientNotice, MailedLead } from '#core/contract/market/client-notice.ts'
import { choiceOf } from '#core/contract/market/notice-choices.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { showDollars } from '../show-values.ts'
import { sayCapReached, sayConsentRevoked, sayExport, sayNewLeads, sayWeek } from './chosen-notices.ts'

type Said = Omit<MailContent, 'action' | 'reason' | 'facts'> & {
  facts?: MailContent['facts']
  action: readonly [label: string, path: string]
}

const BILLING = '/settings?tab=billing'
const ADD_FUNDS = ['Add funds', BILLING] as const

/** A mail to a client about its money or its orders. */
export function clientNotice(
  notice: ClientNotice,
  { publicUrl, leads = [], unsubscribe }: Pick<MailReader, 'publicUrl' | 'leads' | 'unsubscribe'>,
): MailContent {
  const { facts = [], action, ...said } = say(notice, leads)
  const choice = choiceOf(notice.template)
  const token = choice && unsubscribe?.(choice)
  return {
    ...said,
    facts,
    action: { label: action[0], url: `${publicUrl}${action[1]}` },
    reason:
      'You receive this because it is about your Leadwire account. Which mails you get is chosen in the settings.',
    unsubscribeUrl: token && `${publicUrl}/unsubscribe?token=${encodeURIComponent(token)}`,
  }
}

function say({ template, data }: ClientNotice, leads: readonly MailedLead[]): Said {
  switch (template) {
    case 'low_balance':
      return {
        subject: `Your balance is low: ${showDollars(data.balance)}`,
        title: 'Your balance is low',
        paragraphs: [
          `It is below ${showDollars(data.threshold)}, the threshold that you have chosen. Leads are bought until it no longer pays for one.`,
        ],
        facts: [['Balance', showDollars(data.balance)]],
        action: ADD_FUNDS,
      }
    case 'out_of_funds':
      return {
        subject: 'Your balance no longer pays for a lead',
        title: 'You are out of funds',
        paragraphs: [
          'No new leads are assigned to you until you add funds. Your leads, their deliveries and everything else go on.',
        ],
        facts: [
          ['Balance', showDollars(data.balance)],
          ...(data.cheapest === null ? [] : [['A lead costs from', showDollars(data.cheapest)] as const]),
        ],
        action: ADD_FUNDS,
      }
    case 'payment_requested':
      return {
        subject: `You asked for ${showDollars(data.amount)}: how to pay`,
        title: `Please pay ${showDollars(data.amount)}`,
        paragraphs: [
          data.bank_details === ''
            ? 'Pay as agreed with us, and give the reference.'
            : `Pay to this account, and give the reference:\n${data.bank_details}`,
          'Once the money is here, it is on your balance, and you get a receipt.',
        ],
        facts: [
          ['Amount', showDollars(data.amount)],
          ['Reference', data.reference],
        ],
        action: ['Show the payment', `${BILLING}&payment=${data.payment_id}`],
      }
    case 'payment_received':
      return {
        subject: `${showDollars(data.amount)} added to your balance`,
        title: data.kind === 'auto_recharge' ? 'Your auto-recharge added funds' : 'Your payment is received',
        paragraphs: ['The receipt is in your billing settings.'],
        facts: [
          ['Added', showDollars(data.amount)],
          ['Balance', showDollars(data.balance)],
        ],
        action: ['Show the receipt', `${BILLING}&payment=${data.payment_id}`],
      }
    case 'payment_failed':
      return {
        subject: `Your payment of ${showDollars(data.amount)} failed`,
        title: 'Your payment failed',
        paragraphs: ['Nothing was added to your balance.'],
        facts: [['Why', data.failure]],
        action: ADD_FUNDS,
      }
    case 'payment_reversed':
      return { ...sayReversal(data.entry, showDollars(data.amount)), ...whatIsLeft(data.balance) }
    case 'recharge_failed':
      return {
        subject: 'Your auto-recharge failed',
        title: 'Your auto-recharge failed',
        paragraphs: [
          `${showDollars(data.amount)} could not be charged. It is tried once more in a few hours; if that fails too, it is switched off.`,
        ],
        facts: [['Why', data.failure]],
        action: ADD_FUNDS,
      }
    case 'recharge_stopped':
      return {
        subject: 'Your auto-recharge is switched off',
        title: 'Your auto-recharge is switched off',
        paragraphs: ['Nothing is charged by itself any more, until you switch it on again.'],
        facts: [['Why', data.reason]],
        action: ['Open billing', BILLING],
      }
    case 'return_decided':
      return sayReturn(data)
    case 'lead_taken_back':
      return {
        subject: `A lead was taken back: ${showDollars(data.amount)} on your balance`,
        title: 'A lead of yours was taken back',
        paragraphs: [
          `An administrator took it back. ${showDollars(data.amount)} are on your balance again. Please do not contact this person any more.`,
        ],
        action: ['Show the lead', `/leads/${data.lead_id}`],
      }
    case 'lead_given':
      return {
        subject: `A lead for your order “${data.order_name}”`,
        title: 'An administrator gave you a lead',
        paragraphs: [
          `Your order “${data.order_name}” got it for ${showDollars(data.amount)}. It is sent to your webhooks like any other lead.`,
        ],
        action: ['Show the lead', `/leads/${data.lead_id}`],
      }
    case 'leads_recalled':
      return {
        subject: `Leads were recalled: ${showDollars(data.amount)} on your balance`,
        title: 'Leads of a source were recalled',
        paragraphs: [
          `We recalled ${data.leads === 1 ? 'one lead' : `${data.leads} leads`} of yours, because their source was bad. ${showDollars(data.amount)} are on your balance again. Please do not contact these people any more.`,
        ],
        action: ['Show returned leads', '/leads?status=returned'],
      }
    case 'order_paused':
      return {
        subject: `Your order “${data.order_name}” was paused`,
        title: 'An order of yours was paused',
        paragraphs: [`“${data.order_name}” was paused by an administrator. It gets no leads meanwhile.`],
        facts: data.reason === null ? [] : [['Why', data.reason]],
        action: ['Show my orders', '/orders'],
      }
    case 'new_leads':
      return sayNewLeads(data, leads)
    case 'cap_reached':
      return sayCapReached(data)
    case 'weekly_digest':
      return sayWeek(data)
    case 'consent_revoked':
      return sayConsentRevoked(data)
    case 'export_ready':
      return sayExport(data)
    case 'account_approved':
      return {
        subject: 'Your account is approved',
        title: 'Your account is approved',
        paragraphs: ['You may buy leads now: your orders get them as soon as your balance pays for one.'],
        action: ['Show my orders', '/orders'],
      }
  }
}

type Entry = Extract<ClientNotice, { template: 'payment_reversed' }>['data']['entry']

function sayReversal(entry: Entry, amount: string) {
  switch (entry) {
    case 'chargeback':
      return {
        subject: `A payment of yours was disputed: ${amount} taken off your balance`,
        title: 'A payment of yours was disputed',
        paragraphs: [
          `The bank that paid it took ${amount} back, so they are off your balance, and the auto-recharge is off. If the dispute is decided for you they come back.`,
        ],
      }
    case 'chargeback_lowered':
      return {
        subject: `${amount} are back on your balance`,
        title: 'A dispute is about less than before',
        paragraphs: [
          `${amount} are back on your balance. The dispute of the payment goes on about the rest.`,
        ],
      }
    case 'chargeback_reversal':
      return {
        subject: `${amount} are back on your balance`,
        title: 'A dispute was decided for you',
        paragraphs: [`${amount} are back on your balance.`],
      }
    case 'refund_failed':
      return {
        subject: `A refund failed: ${amount} are back on your balance`,
        title: 'A refund failed',
        paragraphs: [
          `${amount} could not be paid back to the way they were paid by, so they are back on your balance.`,
        ],
      }
    case 'refund_out':
      return {
        subject: `${amount} of your balance were paid back`,
        title: 'A payment was paid back',
        paragraphs: [`${amount} went back to the way they were paid by, and are off your balance.`],
      }
  }
}

function whatIsLeft(balance: string) {
  return { facts: [['Balance', showDollars(balance)]] as const, action: ['Open billing', BILLING] as const }
}

function sayReturn({
  status,
  amount,
  lead_id,
  note,
}: Extract<ClientNotice, { template: 'return_decided' }>['data']): Said {
  const isApproved = status === 'approved'
  // After a late credit nothing may be left.
  const isPaid = Number(amount) > 0
  const back = isPaid ? `${showDollars(amount)} are back on your balance.` : 'Nothing was left to pay back.'
  return {
    subject: isApproved
      ? `Return approved${isPaid ? `: ${showDollars(amount)} on your balance` : ''}`
      : 'Return denied',
    title: isApproved ? 'Your return is approved' : 'Your return is denied',
    paragraphs: isApproved
      ? [`${back} Please do not contact this person any more.`]
      : ['The lead stays yours, and its price with us.'],
    facts: note === null ? [] : [['Note', note]],
    action: ['Show the lead', `/leads/${lead_id}`],
  }
}
