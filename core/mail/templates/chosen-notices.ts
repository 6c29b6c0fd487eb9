import type { MailedLead, OrderCap } from '#core/contract/market/client-notice.ts'
import type { MailData } from '#core/contract/mail.ts'
import type { MailContent } from '../mail-content.ts'
import { countOf, showDollars, showMoment } from '../show-values.ts'

type Said = Omit<MailContent, 'action' | 'reason'> & { action: readonly [label: string, path: string] }

/** A mail about new leads. `leads` are those that the client still has when the mail is sent. */
export function sayNewLeads(data: MailData<'new_leads'>, leads: readonly MailedLead[]): Said {
  const [first] = leads
  const count = leads.length + data.more
  const isOne = count === 1 && first !== undefined
  return {
    subject: isOne ? `New lead: ${kindOf(first)}` : countOf(count, 'new lead'),
    title: isOne ? 'You have a new lead' : `You have ${countOf(count, 'new lead')}`,
    paragraphs: [
      isOne ? 'It is in your list of leads.' : 'They are in your list of leads.',
      ...(data.more > 0 ? [`The newest ${leads.length} are below.`] : []),
    ],
    facts: leads.map((lead, index) =>
      data.with_contacts
        ? ([
            lead.name ?? `Lead ${index + 1}`,
            [lead.phone, lead.email, kindOf(lead)].filter((part) => part !== null).join(' · '),
          ] as const)
        : ([`Lead ${index + 1}`, kindOf(lead)] as const),
    ),
    action: isOne ? ['Show the lead', `/leads/${first.id}`] : ['Show my leads', '/leads'],
  }
}

function kindOf({ type, state }: MailedLead): string {
  const said = [type, state].filter((part) => part !== null).join(', ')
  return said === '' ? 'no type given' : said
}

const CAPS: Readonly<Record<OrderCap, { name: string; until: string }>> = {
  daily: { name: 'daily cap', until: 'It goes on tomorrow.' },
  weekly: { name: 'weekly cap', until: 'It goes on next Monday.' },
  monthly: { name: 'monthly cap', until: 'It goes on with the next month.' },
  total: { name: 'total cap', until: 'It gets no more leads unless you raise the cap.' },
  daily_budget: { name: 'daily budget', until: 'It goes on tomorrow.' },
  monthly_budget: { name: 'monthly budget', until: 'It goes on with the next month.' },
}

export function sayCapReached({ order_name, cap, limit }: MailData<'cap_reached'>): Said {
  const { name, until } = CAPS[cap]
  return {
    subject: `“${order_name}” reached its ${name}`,
    title: `Your order reached its ${name}`,
    paragraphs: [`“${order_name}” gets no leads for now. ${until}`],
    facts: [
      [sentenceCase(name), cap.endsWith('budget') ? showDollars(limit) : countOf(Number(limit), 'lead')],
    ],
    action: ['Show my orders', '/orders'],
  }
}

export function sayWeek(data: MailData<'weekly_digest'>): Said {
  const period = `${data.from} to ${data.to}`
  return {
    subject: `Your week: ${countOf(data.leads, 'lead')}, ${showDollars(data.spend)}`,
    title: 'Your week',
    paragraphs: [
      data.leads === 0 ? `No leads came in from ${period}.` : `Leads that came in from ${period}.`,
    ],
    facts: [
      ['Leads', data.leads.toLocaleString('en-US')],
      ['Spent', showDollars(data.spend)],
      ['Returned', data.returned.toLocaleString('en-US')],
      ['Came back', showDollars(data.refunded)],
      ['Delivered', `${data.delivered.toLocaleString('en-US')} of ${countOf(data.attempted, 'delivery')}`],
      ['Balance', showDollars(data.balance)],
    ],
    action: ['Open analytics', `/analytics?from=${data.from}&to=${data.to}`],
  }
}

export function sayExport({ kind, rows, expires_at }: MailData<'export_ready'>): Said {
  const title = kind === 'leads' ? 'Your export of leads is ready' : 'Your export of the ledger is ready'
  return {
    subject: title,
    title,
    paragraphs: ['Sign in to download the file. It is removed when its time is over.'],
    facts: [
      ['Rows', rows.toLocaleString('en-US')],
      ['Kept until', showMoment(expires_at)],
    ],
    action: [
      'Show my exports',
      kind === 'leads' ? '/leads?exports=open' : '/settings?tab=billing&exports=open',
    ],
  }
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Always sent: a client must stop calling, whatever mails it chose. */
export function sayConsentRevoked(data: MailData<'consent_revoked'>): Said {
  const which = data.leads === 1 ? 'one of your leads' : `${data.leads} of your leads`
  return {
    subject: 'Do not contact: consent was revoked',
    title: 'Stop contacting this person',
    paragraphs: [
      `The person of ${which} took their consent back. Do not call, text or write to them any more, and remove them from your other systems.`,
      'Then press Acknowledge on the page of the lead. It stays open until you do.',
    ],
    facts: [['Acknowledge until', data.due_on]],
    action: ['Show and acknowledge', '/do-not-contact'],
  }
}
