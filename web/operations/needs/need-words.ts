import { CONTACT_TOPIC_LABELS } from '#core/contract/operations/contact-message.ts'
import type { Need, NeedKind, ReadNeeds } from '#core/contract/operations/needs.ts'
import type { AdminPlace } from '#core/contract/paths.ts'
import { wordRefusalBriefly } from '#core/domain/market/refusal-words.ts'
import { countOf } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'
import { adminPath } from '#web/paths.ts'

interface NeedWords {
  title: string
  /** what is counted, in the singular */
  noun: string
  /** what it does: "waits for approval" */
  verb: readonly [one: string, many: string]
  /** the button that leads to where it is done */
  action: string
  place: AdminPlace
  /** the tab and the filters of the place that show this work; none if it shows it anyway */
  query?: Readonly<Record<string, string>>
  /** the page is older than this kind of work: the link loads the present one */
  isLoadedAnew?: true
}

/** Names each kind of work and the place where it is done. */
const NEED_WORDS: Readonly<Record<NeedKind, NeedWords>> = {
  approval: {
    title: 'Approvals',
    noun: 'client',
    verb: ['waits for approval', 'wait for approval'],
    action: 'Review clients',
    place: 'clients',
    query: { status: 'onboarding' },
  },
  payment: {
    title: 'Payments to receive',
    noun: 'payment',
    verb: ['to receive', 'to receive'],
    action: 'Open payments',
    place: 'money',
  },
  return: {
    title: 'Returns to decide',
    noun: 'return',
    verb: ['to decide', 'to decide'],
    action: 'Decide returns',
    place: 'returns',
  },
  endpoint: {
    title: 'Failing endpoints',
    noun: 'endpoint',
    verb: ['fails', 'fail'],
    action: 'Open deliveries',
    place: 'deliveries',
  },
  funds: {
    title: 'Clients out of funds',
    noun: 'client',
    verb: ['is out of funds', 'are out of funds'],
    action: 'Open clients',
    place: 'clients',
    query: { funds: 'out' },
  },
  unsold: {
    title: 'Unsold leads',
    noun: 'lead',
    verb: ['waits for a buyer', 'wait for a buyer'],
    action: 'Open leads',
    place: 'leads',
    query: { outcome: 'no_buyer' },
  },
  message: {
    title: 'Messages',
    noun: 'message',
    verb: ['to answer', 'to answer'],
    action: 'Answer messages',
    place: 'needs-you',
  },
  difference: {
    title: 'Payment differences',
    noun: 'payment',
    verb: ['differs from the provider’s records', 'differ from the provider’s records'],
    action: 'Open payments',
    place: 'money',
  },
  adjustment: {
    title: 'Adjustments to confirm',
    noun: 'adjustment',
    verb: ['to confirm', 'to confirm'],
    action: 'Open adjustments',
    place: 'money',
    query: { tab: 'adjustments' },
  },
  revocation: {
    title: 'Revocations to decide',
    noun: 'revocation',
    verb: ['waits for a decision', 'wait for a decision'],
    action: 'Decide revocations',
    place: 'compliance',
    query: { status: 'waiting' },
  },
  overdue_revocation: {
    title: 'Overdue revocations',
    noun: 'client',
    verb: ['has not acknowledged a revocation in time', 'have not acknowledged a revocation in time'],
    action: 'Open revocations',
    place: 'compliance',
    query: { status: 'overdue' },
  },
  late_credit: {
    title: 'Late credits above the daily limit',
    noun: 'late credit',
    verb: ['waits for the daily limit', 'wait for the daily limit'],
    action: 'Change the limit',
    place: 'settings',
  },
  late_lead: {
    title: 'Late leads to decide',
    noun: 'late lead',
    verb: ['waits for a decision', 'wait for a decision'],
    action: 'Decide late leads',
    place: 'prices',
  },
}

type Group = ReadNeeds['data'][number]

/** Words a kind of work; one of a later version only by its code. */
export function wordNeed(kind: string): NeedWords {
  if (isKnown(kind)) return NEED_WORDS[kind]
  const title = words(kind)
  return {
    title,
    noun: title.toLowerCase(),
    verb: ['waits', 'wait'],
    action: 'Reload to open',
    place: 'needs-you',
    isLoadedAnew: true,
  }
}

function isKnown(kind: string): kind is NeedKind {
  return Object.hasOwn(NEED_WORDS, kind)
}

/** Returns the path of the screen that lists this kind of work. */
export function needPath(kind: string): string {
  const { place, query } = wordNeed(kind)
  return query === undefined ? adminPath(place) : `${adminPath(place)}?${new URLSearchParams(query)}`
}

/** Returns for example "3 clients wait for approval". */
export function sayNeed({ kind, count, more }: Pick<Group, 'kind' | 'count' | 'more'>): string {
  const { noun, verb } = wordNeed(kind)
  return `${countOf(count, noun, more)} ${verb[count === 1 && !more ? 0 : 1]}`
}

/** The line of one entry: what it is, and what is said about it. */
export function sayItem(kind: string, { name, detail, leads }: Need): { name: string; detail: string } {
  switch (kind) {
    case 'return':
    case 'late_lead':
    case 'difference':
      return { name, detail: words(detail ?? '') }
    case 'payment':
      return { name, detail: detail === 'request' ? '' : 'Reported differently by the provider' }
    case 'endpoint':
      return {
        name,
        detail: `${detail ?? ''}${leads === null || leads === 0 ? '' : `, ${countOf(leads, 'delivery')} waiting`}`,
      }
    case 'unsold':
      return { name: wordRefusalBriefly(name), detail: countOf(leads ?? 0, 'lead') }
    case 'message':
      return {
        name,
        detail: Object.entries(CONTACT_TOPIC_LABELS).find(([topic]) => topic === detail)?.[1] ?? '',
      }
    case 'revocation':
      return { name, detail: countOf(leads ?? 0, 'lead') }
    case 'adjustment':
      return { name, detail: detail ?? '' }
    default:
      return { name, detail: '' }
  }
}

/** States of the market, which only others can end: they are shown, and have no badge. */
const NO_WORK: readonly string[] = ['unsold', 'funds'] satisfies NeedKind[]

/** Work by the place where it is done, with `more` if not all is counted, for the badges of the sidebar; `needs-you` has all of it. */
export function countByPlace(needs: ReadNeeds): ReadonlyMap<AdminPlace, { count: number; more: boolean }> {
  const counts = new Map<AdminPlace, { count: number; more: boolean }>()
  for (const { kind, count, more } of needs.data) {
    if (NO_WORK.includes(kind)) continue
    for (const place of new Set<AdminPlace>([wordNeed(kind).place, 'needs-you'])) {
      const before = counts.get(place) ?? { count: 0, more: false }
      counts.set(place, { count: before.count + count, more: before.more || more })
    }
  }
  return counts
}
