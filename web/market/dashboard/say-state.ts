import type { MemberPermission } from '#core/contract/accounts/member-role.ts'
import type { ClientSetup } from '#core/contract/market/client-setup.ts'
import type { OrderChecklist } from '#core/contract/market/order.ts'
import { listSetupSteps } from '#core/domain/market/list-setup-steps.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { PATHS } from '#web/paths.ts'
import type { Tone } from '#web/ui/show/tone.ts'

export type ChecklistLine = OrderChecklist['data'][number]

/** The present state of a client's leads: a sentence, and its explanation. */
export interface State {
  tone: Tone
  sentence: string
  detail: string
  /** whether the time of the newest lead belongs to it */
  namesNewest?: boolean
  /** the line that is told here alone, so the list of obstacles does not have to tell it */
  told?: ChecklistLine
  /** the screen that changes it */
  fix?: { to: string; label: string }
}

export interface StateFacts {
  setup: ClientSetup
  leadsToday: number
  /** unmet conditions of leads that no banner tells */
  wrong: readonly ChecklistLine[]
  /** whether the reader's role in the account includes a permission */
  may: May
}

type May = (permission: MemberPermission) => boolean

/** Obstacles behind the sale: leads are bought, and wait for the client. */
const BEHIND_SALE: readonly ChecklistLine['code'][] = ['delivery_method', 'last_delivery']
/** Obstacles that end by themselves. */
const RESTS: readonly ChecklistLine['code'][] = ['schedule_open', 'under_caps']

/** Whether the steps to the first lead are still shown: until all are done, or the first lead came by another way. */
export function hasStepsLeft(setup: ClientSetup): boolean {
  return !setup.first_lead && listSetupSteps(setup).some(({ state }) => state !== 'done')
}

/** Tells a client in one sentence whether leads come, or what they wait for (docs/product.md §2, Dashboard). */
export function sayState({ setup, leadsToday, wrong, may }: StateFacts): State {
  if (hasStepsLeft(setup)) return saySteps(setup, may)
  const flow: Omit<State, 'detail'> =
    leadsToday > 0
      ? { tone: 'success', sentence: 'Leads are coming in' }
      : { tone: 'success', sentence: 'Ready for leads' }
  const [first, ...others] = wrong
  if (first !== undefined) {
    const isStopped = wrong.some(({ code }) => !BEHIND_SALE.includes(code))
    const stopped: Omit<State, 'detail'> = {
      tone: wrong.every(({ code }) => RESTS.includes(code)) ? 'neutral' : 'waiting',
      sentence: isStopped ? 'No leads are bought for you now' : flow.sentence,
    }
    if (others.length > 0)
      return { ...stopped, detail: `${countOf(wrong.length, 'thing')} to put right, listed below` }
    return { ...stopped, detail: first.sentence, told: first, ...sayFix(first, may) }
  }
  if (leadsToday > 0) return { ...flow, detail: `${formatCount(leadsToday)} today`, namesNewest: true }
  // The obstacles were not asked for, because the orders tell them.
  if (!may('orders'))
    return { tone: 'neutral', sentence: 'No leads today', detail: 'Your role does not include the orders' }
  if (setup.order) return { ...flow, detail: 'Nothing stands in the way' }
  return {
    tone: 'neutral',
    sentence: 'No leads are bought for you now',
    detail: 'You have no order yet',
    fix: { to: PATHS.orders, label: 'Open orders' },
  }
}

function sayFix(line: ChecklistLine, may: May): Pick<State, 'fix'> {
  return canFix(line, may) ? { fix: { to: line.fix, label: 'Fix' } } : {}
}

/** Whether the reader can do something about an obstacle. Only administrators approve an account. */
export function canFix({ code }: Pick<ChecklistLine, 'code'>, may: May): boolean {
  return code !== 'account_active' && (code !== 'funded' || may('money'))
}

function saySteps(setup: ClientSetup, may: May): State {
  const steps = listSetupSteps(setup)
  const left = steps.filter(({ state }) => state === 'open' || state === 'skipped').length
  if (left > 0)
    return {
      tone: 'info',
      sentence: `${countOf(left, 'step')} ${left === 1 ? 'is' : 'are'} left before ${may('account') ? 'your' : 'the'} first lead`,
      detail: may('account')
        ? 'Each is saved by itself; come back whenever you like'
        : 'An owner of the account does this',
    }
  const isUnpaid = !setup.funds
  return {
    tone: 'waiting',
    sentence: `Waiting for ${isUnpaid ? 'your payment' : 'approval'}${isUnpaid && !setup.approved ? ' and for approval' : ''}`,
    detail: 'You have nothing else to do',
  }
}
